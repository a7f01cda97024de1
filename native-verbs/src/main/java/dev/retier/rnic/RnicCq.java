package dev.retier.rnic;

import com.ibm.disni.verbs.IbvCQ;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A completion queue. Safe for any thread. */
final class RnicCq extends IbvCQ {
    final Usable usable;
    final RnicContext device;
    final long address;

    private RnicCq(RnicContext device, @Nullable RnicCompChannel channel, long address, MemorySegment memory)
            throws IOException {
        super(device, channel, memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.CQ, "handle")));
        this.device = device;
        this.usable = new Usable("completion queue", device);
        this.address = address;
        this.cqe = memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.CQ, "cqe"));
    }

    static RnicCq create(RnicContext device, @Nullable RnicCompChannel channel, int entries, int vector)
            throws IOException {
        device.ensureThere();
        if (entries > device.maxCompletions()) {
            throw new IOException("a completion queue of " + entries + " entries; " + device.deviceName()
                    + " has at most " + device.maxCompletions());
        }
        long address = channel == null
                ? made(device, 0, entries, vector)
                : channel.usable.during(() -> made(device, channel.address, entries, vector));
        if (address == 0) {
            throw device.library.failed("ibv_create_cq of " + entries + " entries on " + device.deviceName());
        }
        MemorySegment memory = Calls.at(address, Layouts.size(Layouts.CQ));
        try {
            Library.agree(
                    "ibv_cq.channel",
                    channel == null ? 0 : channel.address,
                    memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.CQ, "channel")));
            return new RnicCq(device, channel, address, memory);
        } catch (IOException e) {
            Calls.call(device.library.destroyCq, address);
            throw e;
        }
    }

    private static long made(RnicContext device, long channel, int entries, int vector) {
        return Calls.call(device.library.createCq, device.address, entries, 0, channel, vector);
    }

    void destroy() throws IOException {
        if (usable.end()) {
            int errno = device.isGone() ? 0 : (int) Calls.call(device.library.destroyCq, address);
            if (errno != 0) {
                usable.resume();
                throw device.library.failed("ibv_destroy_cq; destroy its queue pairs first", errno);
            }
            close();
        }
    }
}
