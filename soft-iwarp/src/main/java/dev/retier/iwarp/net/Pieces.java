package dev.retier.iwarp.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Buffers as the system's calls want them: rows of {@code struct iovec}, of 64-bit systems. Stateless. */
final class Pieces {
    /** Of one {@code struct iovec}. */
    static final long BYTES = 16;

    private static final long LENGTH_AT = 8;

    private Pieces() {}

    /**
     * Writes the remaining bytes of {@code piece} as a {@code struct iovec} at {@code at} of {@code memory}.
     *
     * @throws IllegalArgumentException for a buffer on the heap, whose address is none
     * @throws IllegalStateException if its memory was closed
     */
    static void describe(MemorySegment memory, long at, ByteBuffer piece) {
        if (!piece.isDirect()) {
            throw new IllegalArgumentException("a buffer on the heap");
        }
        MemorySegment segment = MemorySegment.ofBuffer(piece);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the memory of a buffer was closed");
        }
        memory.set(ValueLayout.JAVA_LONG, at, segment.address());
        memory.set(ValueLayout.JAVA_LONG, at + LENGTH_AT, segment.byteSize());
    }

    /** Moves the positions of the pieces from {@code from} to before {@code end} over {@code bytes} bytes. */
    static void taken(ByteBuffer[] pieces, int from, int end, int bytes) {
        int left = bytes;
        for (int i = from; i < end && left > 0; i++) {
            int here = Math.min(left, pieces[i].remaining());
            pieces[i].position(pieces[i].position() + here);
            left -= here;
        }
    }
}
