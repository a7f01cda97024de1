package dev.retier.iwarp.verbs;

import java.lang.foreign.MemorySegment;

/** Memory that a caller names by a bare address, as the verbs allow for regions, inline and private data. */
final class RawMemory {
    private RawMemory() {}

    /**
     * The {@code length} bytes from {@code address}. The caller answers for the address.
     *
     * @throws IllegalCallerException if the program may not use memory by address
     */
    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long length) {
        try {
            return MemorySegment.ofAddress(address).reinterpret(length);
        } catch (IllegalCallerException denied) {
            throw new IllegalCallerException(
                    "memory by its address: start the program with --enable-native-access=ALL-UNNAMED ("
                            + denied.getMessage() + ")",
                    denied);
        }
    }

    /** Copies {@code length} bytes from {@code address}, as {@link #at} does. */
    static void copy(long address, byte[] target, int at, int length) {
        MemorySegment.copy(at(address, length), 0, MemorySegment.ofArray(target), at, length);
    }
}
