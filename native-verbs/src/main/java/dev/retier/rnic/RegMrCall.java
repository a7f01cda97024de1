package dev.retier.rnic;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Registers memory; each execution makes a region of its own. */
final class RegMrCall extends SVCRegMr {
    private final RnicPd pd;
    private final long address;
    private final int bytes;
    private final int access;
    private final @Nullable ByteBuffer buffer;
    private @Nullable RnicMr region;
    private boolean valid = true;

    /** {@code buffer} is the memory's owner, if there is one. */
    RegMrCall(RnicPd pd, long address, int bytes, int access, @Nullable ByteBuffer buffer) {
        this.pd = pd;
        this.address = address;
        this.bytes = bytes;
        this.access = access;
        this.buffer = buffer;
    }

    @Override
    public SVCRegMr execute() throws IOException {
        try {
            region = RnicMr.register(pd, address, bytes, access, buffer);
        } finally {
            Reference.reachabilityFence(buffer);
        }
        return this;
    }

    @Override
    public @Nullable IbvMr getMr() {
        return region;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCRegMr free() {
        valid = false;
        return this;
    }
}
