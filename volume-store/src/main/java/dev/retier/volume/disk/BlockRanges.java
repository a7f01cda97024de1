package dev.retier.volume.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who changes which blocks of a volume: one at a time where they overlap, as who changes a part of a block reads and
 * writes all of it. Thread-safe.
 */
final class BlockRanges {
    /** Those of all volumes. Thread-safe. */
    static final class OfVolumes {
        private final Map<Integer, BlockRanges> all = new ConcurrentHashMap<>();

        BlockRanges of(int volume) {
            return all.computeIfAbsent(volume, _ -> new BlockRanges());
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isLess = lock.newCondition();
    private final List<Held> held = new ArrayList<>();

    /** Blocks that somebody changes; give them back. */
    final class Held implements AutoCloseable {
        private final long first;
        private final long end;

        private Held(long first, long end) {
            this.first = first;
            this.end = end;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                held.remove(this);
                isLess.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until nobody else changes any of them. */
    Held hold(long first, long end) {
        lock.lock();
        try {
            while (isHeld(first, end)) {
                isLess.awaitUninterruptibly();
            }
            return add(first, end);
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeld(long first, long end) {
        return held.stream().anyMatch(other -> other.first < end && first < other.end);
    }

    private Held add(long first, long end) {
        Held mine = new Held(first, end);
        held.add(mine);
        return mine;
    }
}
