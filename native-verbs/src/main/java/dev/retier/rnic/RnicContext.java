package dev.retier.rnic;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.verbs.DeviceAttributes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open device. librdmacm opens each once and never closes it before the process ends, and so it is here. Safe for
 * any thread.
 */
final class RnicContext extends IbvContext implements DeviceAttributes {
    private static final int ATOMIC_NONE = 0;

    final Library library;
    final long address;
    final Blocks blocks = new Blocks();
    final MemorySegment pollCq;
    final MemorySegment reqNotifyCq;
    final MemorySegment postSend;
    final MemorySegment postRecv;
    private final String name;
    private final MemorySegment attributes;
    private final Set<RnicQp> pairs = ConcurrentHashMap.newKeySet();

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
        this.attributes = Arena.ofAuto().allocate(Layouts.DEVICE_ATTR);
        int errno = (int) Calls.call(library.queryDevice, address, attributes.address());
        if (errno != 0) {
            throw library.failed("ibv_query_device " + name, errno);
        }
    }

    /** The device that librdmacm has opened at {@code address}. */
    static RnicContext at(Library library, long address) throws IOException {
        return new RnicContext(library, address, Calls.at(address, Layouts.size(Layouts.CONTEXT)));
    }

    private static MemorySegment operation(MemorySegment context, String field) throws IOException {
        long function = context.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CONTEXT, field));
        if (function == 0) {
            throw new IOException("this device's driver has no " + field);
        }
        return MemorySegment.ofAddress(function);
    }

    private int attribute(String field) {
        return attributes.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.DEVICE_ATTR, field));
    }

    @Override
    public String deviceName() {
        return name;
    }

    @Override
    public int maxCompletions() {
        return attribute("max_cqe");
    }

    @Override
    public int maxWork() {
        return attribute("max_qp_wr");
    }

    @Override
    public int maxElements() {
        return attribute("max_sge");
    }

    @Override
    public boolean hasAtomics() {
        return attribute("atomic_cap") != ATOMIC_NONE;
    }

    /** What drivers put there is their own. */
    @Override
    public boolean tellsTerminates() {
        return false;
    }

    /** Ports, numbered from 1. */
    int ports() {
        return Byte.toUnsignedInt(
                attributes.get(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.DEVICE_ATTR, "phys_port_cnt")));
    }

    /** The queue pairs of this device that are not destroyed. */
    Set<RnicQp> pairs() {
        return pairs;
    }
}
