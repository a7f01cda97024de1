package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import dev.retier.iwarp.memory.MemoryRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Registers memory; each execution makes a region of its own. */
final class RegMrCall extends SVCRegMr {
    private final IwarpPd pd;
    private final MemorySegment memory;
    private final MemoryRegion.Grant grant;
    private final @Nullable ByteBuffer buffer;
    private @Nullable IwarpMr region;
    private boolean valid = true;

    RegMrCall(IwarpPd pd, MemorySegment memory, int access) {
        this(pd, memory, MemoryRegion.Grant.toDomain(pd.number(), access));
    }

    RegMrCall(IwarpPd pd, MemorySegment memory, MemoryRegion.Grant grant) {
        this.pd = pd;
        this.memory = memory;
        this.grant = grant;
        this.buffer = null;
    }

    /** Registers all of a direct buffer. */
    RegMrCall(IwarpPd pd, ByteBuffer buffer, int access) {
        this.pd = pd;
        this.memory = MemorySegment.NULL;
        this.grant = MemoryRegion.Grant.toDomain(pd.number(), access);
        this.buffer = buffer;
    }

    @Override
    public SVCRegMr execute() throws IOException {
        if (!pd.isOpen()) {
            throw new IOException("the protection domain was deallocated");
        }
        MemoryRegion registered = register();
        if (registered == null) {
            throw new IOException("the device has its "
                    + pd.device().config().limits().maxRegions() + " regions; deregister some or raise the limit");
        }
        region = new IwarpMr(pd.getContext(), pd.device(), registered);
        return this;
    }

    private @Nullable MemoryRegion register() throws IOException {
        try {
            return buffer == null
                    ? pd.device().regions().register(grant, memory)
                    : pd.device().regions().register(grant, buffer);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
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
