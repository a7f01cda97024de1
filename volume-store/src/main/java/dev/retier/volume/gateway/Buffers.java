package dev.retier.volume.gateway;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory for what is under way, so much and no more; who wants some waits until there is. Pieces are powers of two, and
 * used again. Thread-safe.
 */
final class Buffers {
    private static final int LEAST_BITS = 12;
    private static final int SIZES = 20;
    private static final int PERMIT_BYTES = 1 << LEAST_BITS;

    private final int permits;
    private final Semaphore free;
    /** Guarded by itself; by size. */
    private final List<Deque<ByteBuffer>> idle = new ArrayList<>();
    /** Guarded by {@link #idle}: what was made, in permits, idle or not. */
    private long made;

    /** At most {@code bytes} in all. */
    Buffers(long bytes) {
        this.permits = Math.toIntExact(bytes / PERMIT_BYTES);
        this.free = new Semaphore(permits, true);
        for (int i = 0; i < SIZES; i++) {
            idle.add(new ArrayDeque<>());
        }
    }

    /** A piece, to be given back. */
    final class Piece implements AutoCloseable {
        private final int size;
        private final ByteBuffer all;
        private final ByteBuffer bytes;

        private Piece(int size, ByteBuffer all, int length) {
            this.size = size;
            this.all = all;
            this.bytes = all.slice(0, length);
        }

        /** As many as were asked for. */
        ByteBuffer bytes() {
            return bytes;
        }

        @Override
        public void close() {
            synchronized (idle) {
                idle.get(size).addLast(all);
            }
            free.release(1 << size);
        }
    }

    /** Waits until there is room for a piece of that length; before it does, {@code beforeWaiting} is run. */
    Piece take(int length, Runnable beforeWaiting) throws InterruptedException {
        int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, (length - 1) >> LEAST_BITS));
        if (!free.tryAcquire(1 << size, 0, TimeUnit.SECONDS)) {
            beforeWaiting.run();
            free.acquire(1 << size);
        }
        return new Piece(size, memory(size), length);
    }

    private ByteBuffer memory(int size) {
        synchronized (idle) {
            ByteBuffer known = idle.get(size).pollLast();
            if (known != null) {
                return known;
            }
            made += 1L << size;
            for (int other = SIZES - 1; other >= 0 && made > permits; other--) {
                while (made > permits && idle.get(other).pollLast() != null) {
                    made -= 1L << other;
                }
            }
            return ByteBuffer.allocateDirect(PERMIT_BYTES << size);
        }
    }
}
