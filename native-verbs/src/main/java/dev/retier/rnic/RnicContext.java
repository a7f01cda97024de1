package dev.retier.rnic;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open device. librdmacm opens each once and closes it when it was taken away, or the process ends. Safe for any
 * thread.
 */
final class RnicContext extends IbvContext implements DeviceAttributes {
    final Library library;
    final long address;
    final Blocks blocks = new Blocks();
    final MemorySegment pollCq;
    final MemorySegment reqNotifyCq;
    final MemorySegment postSend;
    final MemorySegment postRecv;
    private final String name;
    private final boolean isIwarp;
    private final RnicAttributes attributes;
    private final Set<RnicQp> pairs = ConcurrentHashMap.newKeySet();
    /** The buffers of its regions, by the very object: C may give the address of one to the next. */
    private final Map<RnicMr, ByteBuffer> owners = new ConcurrentHashMap<>();

    private volatile boolean isGone;

    private RnicContext(Library library, long address, MemorySegment context) throws IOException {
        super(
                context.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.CONTEXT, "cmd_fd")),
                context.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.CONTEXT, "num_comp_vectors")));
        this.library = library;
        this.address = address;
        this.pollCq = operation(context, "poll_cq");
        this.reqNotifyCq = operation(context, "req_notify_cq");
        this.postSend = operation(context, "post_send");
        this.postRecv = operation(context, "post_recv");
        long device = context.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CONTEXT, "device"));
        this.name = Calls.text(Calls.call(library.getDeviceName, device));
        this.isIwarp = RdmaPort.isIwarp(RdmaPort.transport(device));
        this.attributes = RnicAttributes.of(library, address, name);
    }

    /** The device that librdmacm has opened at {@code address}. */
    static RnicContext at(Library library, long address) throws IOException {
        return new RnicContext(library, address, Calls.at(address, Layouts.size(Layouts.CONTEXT)));
    }

    /** Memory that the device may use from now on. */
    void keep(RnicMr region, ByteBuffer owner) {
        owners.put(region, owner);
    }

    /** It uses it no more. */
    void letGo(RnicMr region) {
        owners.remove(region);
    }

    /** The machine has it no more: librdmacm closes it, and what C keeps of its objects may not be touched. */
    void gone() {
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }

    void ensureThere() throws IOException {
        if (isGone) {
            throw new IOException(name + " was taken away");
        }
    }

    private static MemorySegment operation(MemorySegment context, String field) throws IOException {
        long function = context.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CONTEXT, field));
        if (function == 0) {
            throw new IOException("this device's driver has no " + field);
        }
        return MemorySegment.ofAddress(function);
    }

    @Override
    public String deviceName() {
        return name;
    }

    @Override
    public int maxCompletions() {
        return attributes.maxCompletions();
    }

    @Override
    public int maxWork() {
        return attributes.maxWork();
    }

    @Override
    public int maxElements() {
        return attributes.maxElements();
    }

    @Override
    public int maxReadElements() {
        return attributes.maxReadElements();
    }

    @Override
    public boolean hasAtomics() {
        return attributes.hasAtomics();
    }

    /** As it is with siw and most RNICs for iWARP; nothing that can be asked tells of those that have them. */
    @Override
    public boolean hasImmediates() {
        return !isIwarp;
    }

    @Override
    public boolean excludesProcessors() {
        return attributes.excludesProcessors();
    }

    /** What drivers put there is their own. */
    @Override
    public boolean tellsTerminates() {
        return false;
    }

    /** Ports, numbered from 1. */
    int ports() {
        return attributes.ports();
    }

    /** The queue pairs of this device that are not destroyed. */
    Set<RnicQp> pairs() {
        return pairs;
    }
}
