package dev.retier.iwarp.verbs;

import java.lang.foreign.MemorySegment;

/** Memory that a caller names by a bare address, as the verbs allow for inline and private data. */
final class RawMemory {
    private RawMemory() {}

    /** Copies {@code length} bytes from {@code address}. The caller answers for the address. */
    @SuppressWarnings("restricted")
    static void copy(long address, byte[] target, int at, int length) {
        MemorySegment source = MemorySegment.ofAddress(address).reinterpret(length);
        MemorySegment.copy(source, 0, MemorySegment.ofArray(target), at, length);
    }
}
