package dev.retier.rnic;

import com.ibm.disni.verbs.IbvMr;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A memory region. */
final class RnicMr extends IbvMr {
    private final Usable usable = new Usable("memory region");
    private final RnicContext device;
    private final long region;

    private RnicMr(RnicContext device, MemorySegment memory, int length, int access) throws IOException {
        super(
                device,
                memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.MR, "addr")),
                length,
                access,
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "lkey")),
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "rkey")),
                memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.MR, "handle")));
        this.device = device;
        this.region = memory.address();
    }

    /**
     * Registers memory. Its {@code owner}, if there is one, lives until {@link #revoke}, whoever keeps the region: the
     * device may write there until then.
     */
    static RnicMr register(RnicPd domain, long address, int bytes, int access, @Nullable ByteBuffer owner)
            throws IOException {
        if (bytes < 0) {
            throw new IOException("a memory region of " + bytes + " bytes; none may be negative");
        }
        long stamp = domain.usable.enter();
        try {
            Library library = domain.device.library;
            long region = Calls.call(library.regMr, domain.address, address, bytes, access);
            if (region == 0) {
                throw library.failed("ibv_reg_mr of " + bytes + " bytes on " + domain.device.deviceName());
            }
            MemorySegment memory = Calls.at(region, Layouts.size(Layouts.MR));
            try {
                Library.agree(
                        "ibv_mr.addr", address, memory.get(ValueLayout.JAVA_LONG, Layouts.at(Layouts.MR, "addr")));
                RnicMr made = new RnicMr(domain.device, memory, bytes, access);
                if (owner != null) {
                    domain.device.keep(made, owner);
                }
                return made;
            } catch (IOException e) {
                Calls.call(library.deregMr, region);
                throw e;
            }
        } finally {
            domain.usable.leave(stamp);
        }
    }

    /** Deregisters it. When this returns, no peer reaches its memory any more. */
    void revoke() throws IOException {
        if (!usable.end()) {
            throw new IOException("the region was deregistered before");
        }
        int errno = device.isGone() ? 0 : (int) Calls.call(device.library.deregMr, region);
        if (errno != 0) {
            usable.resume();
            throw device.library.failed("ibv_dereg_mr", errno);
        }
        close();
        device.letGo(this);
    }
}
