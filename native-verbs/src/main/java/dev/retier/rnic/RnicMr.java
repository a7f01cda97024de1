package dev.retier.rnic;

import com.ibm.disni.verbs.IbvMr;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A memory region. */
final class RnicMr extends IbvMr {
    private final Usable usable = new Usable("memory region");
    private final RnicContext device;
    private final long region;

    private RnicMr(RnicContext device, long region, MemorySegment memory, int length, int access) throws IOException {
        super(
                device,
                memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.MR, "addr")),
                length,
                access,
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "lkey")),
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "rkey")),
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "handle")));
        this.device = device;
        this.region = region;
    }

    /** Registers memory, which must live until {@link #revoke}. */
    static RnicMr register(RnicPd domain, long address, long bytes, int access) throws IOException {
        long stamp = domain.usable.enter();
        try {
            Library library = domain.device.library;
            long region = Calls.call(library.regMr, domain.address, address, bytes, access);
            if (region == 0) {
                throw library.failed("ibv_reg_mr of " + bytes + " bytes on " + domain.device.deviceName());
            }
            MemorySegment memory = Calls.at(region, Layouts.size(Layouts.MR));
            Library.agree("ibv_mr.addr", address, memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.MR, "addr")));
            return new RnicMr(domain.device, region, memory, (int) Math.min(bytes, Integer.MAX_VALUE), access);
        } finally {
            domain.usable.leave(stamp);
        }
    }

    /** Deregisters it. When this returns, no peer reaches its memory any more. */
    void revoke() throws IOException {
        close();
        if (!usable.end()) {
            throw new IOException("the region was deregistered before");
        }
        int errno = (int) Calls.call(device.library.deregMr, region);
        if (errno != 0) {
            throw device.library.failed("ibv_dereg_mr", errno);
        }
    }
}
