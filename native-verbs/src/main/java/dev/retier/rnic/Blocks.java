package dev.retier.rnic;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for work requests, used again and again: posting one allocates nothing once some were. Safe for any
 * thread.
 */
final class Blocks {
    /** What one work request with four elements takes, twice. */
    private static final int BYTES = 512;
    /** So many are kept; more are left to the collector. */
    private static final int KEPT = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    /** At least so many bytes, not cleared. */
    MemorySegment take(long bytes) {
        MemorySegment found = bytes <= BYTES ? kept() : null;
        return found == null ? Arena.ofAuto().allocate(Math.max(bytes, BYTES), Long.BYTES) : found;
    }

    private @Nullable MemorySegment kept() {
        lock.lock();
        try {
            return free.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives one back, which nobody reads any more. */
    void give(MemorySegment block) {
        if (block.byteSize() == BYTES) {
            lock.lock();
            try {
                if (free.size() < KEPT) {
                    free.push(block);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
