package dev.retier.rnic;

import com.ibm.disni.verbs.IbvCompChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A completion channel. Safe for any thread. */
final class RnicCompChannel extends IbvCompChannel {
    final long address;
    final Usable usable;
    private final RnicContext device;
    private final Descriptor events;

    private RnicCompChannel(RnicContext device, long address, Descriptor events) throws IOException {
        super(events.fd(), device);
        this.device = device;
        this.usable = new Usable("completion channel", device);
        this.address = address;
        this.events = events;
    }

    static RnicCompChannel create(RnicContext device) throws IOException {
        device.ensureThere();
        long address = Calls.call(device.library.createCompChannel, device.address);
        if (address == 0) {
            throw device.library.failed("ibv_create_comp_channel on " + device.deviceName());
        }
        int fd = Calls.at(address, Layouts.size(Layouts.COMP_CHANNEL))
                .get(ValueLayout.JAVA_INT, Layouts.at(Layouts.COMP_CHANNEL, "fd"));
        try {
            return new RnicCompChannel(device, address, new Descriptor(device.library, fd));
        } catch (IOException e) {
            Calls.call(device.library.destroyCompChannel, address);
            throw e;
        }
    }

    /** Whether an event came in time; it is acknowledged. Negative waits for ever. */
    boolean await(int timeoutMillis) throws IOException {
        return events.next(usable, timeoutMillis, this::read) != null;
    }

    private @Nullable Boolean read() throws IOException {
        MemorySegment found = Calls.results();
        Library library = device.library;
        if ((int) Calls.call(library.getCqEvent, address, found.address(), found.address() + Long.BYTES) != 0) {
            int errno = Calls.errno();
            if (errno == Remedies.EAGAIN) {
                return null;
            }
            throw library.failed("ibv_get_cq_event", errno);
        }
        Calls.call(library.ackCqEvents, found.get(ValueLayout.JAVA_LONG, 0), 1);
        return Boolean.TRUE;
    }

    void destroy() throws IOException {
        if (usable.end()) {
            int errno = device.isGone() ? 0 : (int) Calls.call(device.library.destroyCompChannel, address);
            if (errno != 0) {
                usable.resume();
                throw device.library.failed("ibv_destroy_comp_channel; destroy its completion queues first", errno);
            }
            close();
        }
    }
}
