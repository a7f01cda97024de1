package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvMr;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A registered region. Guarded by the world's lock. */
final class MemoryMr extends IbvMr {
    private final MemoryPd domain;
    private final MemorySegment memory;

    @SuppressWarnings("restricted") // the caller answers for the address, as with any provider
    MemoryMr(MemoryPd domain, long address, int length, int access, int key) throws IOException {
        super(domain.getContext(), address, length, access, key, key, key);
        this.domain = domain;
        this.memory = MemorySegment.ofAddress(address).reinterpret(length);
    }

    /** The bytes from {@code address} on, if {@code domain} may use them so; null if not. */
    @Nullable
    MemorySegment reach(MemoryPd from, long address, int bytes, int right) {
        boolean allowed = (access & right) == right && holds(from, address, bytes);
        return allowed ? memory.asSlice(address - addr, bytes) : null;
    }

    /** Whether the bytes from {@code address} on are in it, and {@code from} is its domain. */
    boolean holds(MemoryPd from, long address, int bytes) {
        boolean within = address >= addr && address - addr <= memory.byteSize() - bytes;
        return within && from.equals(domain) && isOpen();
    }
}
