package dev.retier.volume.gateway;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory for what is under way, so much and no more; who wants some waits until there is. One small piece of each
 * client is beyond that, so that those who keep theirs do not stop the others. Pieces are powers of two, and used
 * again. Thread-safe.
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
        private final Runnable onClosed;

        private Piece(int size, int length, Runnable onClosed) {
            this.size = size;
            this.all = memory(size);
            this.bytes = all.slice(0, length);
            this.onClosed = onClosed;
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
            onClosed.run();
        }
    }

    /** What a client has in any case: one piece of at most {@link #BYTES}. */
    static final class Share {
        /** More than most programs ask for at once. */
        static final int BYTES = 1 << 20;

        private final Semaphore free = new Semaphore(1);
    }

    /**
     * A piece of that length; where there is no room, that of {@code share} if it is not longer. Waits until there is
     * one; before it does, {@code beforeWaiting} is run.
     */
    Piece take(int length, Share share, Runnable beforeWaiting) throws InterruptedException {
        int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, (length - 1) >> LEAST_BITS));
        int wanted = 1 << size;
        if (!free.tryAcquire(wanted, 0, TimeUnit.SECONDS)) { // behind those that wait already
            if (length <= Share.BYTES) {
                acquire(share.free, 1, beforeWaiting);
                return new Piece(size, length, share.free::release);
            }
            acquire(free, wanted, beforeWaiting);
        }
        return new Piece(size, length, () -> free.release(wanted));
    }

    private static void acquire(Semaphore from, int permits, Runnable beforeWaiting) throws InterruptedException {
        if (!from.tryAcquire(permits, 0, TimeUnit.SECONDS)) {
            beforeWaiting.run();
            from.acquire(permits);
        }
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
