package dev.retier.volume.disk;

import dev.retier.volume.cache.BlockKey;
import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.cache.MultiQueue;
import dev.retier.volume.pool.Geometry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A part of a {@link BlockCache}, with frames and a lock of its own. Thread-safe. */
final class CachePart {
    private static final int BLOCK = Geometry.BLOCK_BYTES;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as all that follows. */
    private final MultiQueue policy;

    private final MemorySegment frames;
    /** What is read to be kept. */
    private final List<Fill> fills = new ArrayList<>();
    /** What is changed. */
    private Range changing = Range.NONE;

    /** Blocks of a volume. */
    record Range(int volume, long first, long end) {
        static final Range NONE = new Range(0, 0, 0);

        boolean overlaps(int other, long from, long until) {
            return volume == other && first < until && from < end;
        }
    }

    /** A read of blocks that the parts take turns with. Used by one thread. */
    static final class Wanted {
        private final int volume;
        private final long first;
        private final MemorySegment into;
        private final boolean isAhead;
        /** Of the blocks behind the first one those that are not here. */
        final BitSet missing = new BitSet();

        final List<Fill> fills = new ArrayList<>(0);
        /** Whether it is the first that asks for something that was read ahead. */
        boolean isFirst;

        /**
         * Of whole blocks.
         *
         * @param isAhead whether nobody asks for them yet
         */
        Wanted(int volume, long first, MemorySegment into, boolean isAhead) {
            this.volume = volume;
            this.first = first;
            this.into = into;
            this.isAhead = isAhead;
        }

        private long at(long block) {
            return (block - first) * BLOCK;
        }
    }

    /** Blocks that are read to be kept; to be ended. */
    final class Fill {
        private final Wanted wanted;
        private final long from;
        private final long until;
        /** Guarded by the lock: whether they were changed meanwhile. */
        private boolean isStale;

        private Fill(Wanted wanted, long from, long until) {
            this.wanted = wanted;
            this.from = from;
            this.until = until;
        }

        /** Those of the missing ones that were read, and are worth to be kept, are. */
        void end(BitSet kept) {
            lock.lock();
            try {
                fills.remove(this);
                for (long block = from; block < until && !isStale; block++) {
                    long key = BlockKey.of(wanted.volume, block);
                    if (kept.get((int) (block - wanted.first)) && policy.find(key) == MultiQueue.NONE) {
                        int frame = wanted.isAhead ? policy.putAhead(key) : policy.put(key);
                        MemorySegment.copy(wanted.into, wanted.at(block), frames, (long) frame * BLOCK, BLOCK);
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    CachePart(MultiQueue.Shape shape) {
        this.policy = new MultiQueue(shape);
        this.frames = Arena.ofAuto().allocate((long) shape.frames() * BLOCK, BLOCK);
    }

    /** Copies those of the blocks that are here; the others are missing, and to be filled in. */
    void read(Wanted wanted, long from, long until) {
        lock.lock();
        try {
            boolean isChanging = changing.overlaps(wanted.volume, from, until);
            long ahead = policy.aheadUsed();
            boolean isMissing = false;
            for (long block = from; block < until; block++) {
                if (isChanging || !copied(wanted, block)) {
                    wanted.missing.set((int) (block - wanted.first));
                    isMissing = true;
                }
            }
            wanted.isFirst |= policy.aheadUsed() > ahead;
            if (isMissing) {
                Fill fill = new Fill(wanted, from, until);
                fill.isStale = isChanging;
                fills.add(fill);
                wanted.fills.add(fill);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether all of these blocks are here. */
    boolean has(int volume, long from, long until) {
        lock.lock();
        try {
            boolean isHere = !changing.overlaps(volume, from, until);
            for (long block = from; block < until && isHere; block++) {
                isHere = policy.find(BlockKey.of(volume, block)) != MultiQueue.NONE;
            }
            return isHere;
        } finally {
            lock.unlock();
        }
    }

    /** Copies the blocks if all of them are here, else none; whether they are. */
    boolean readIfHere(Wanted wanted, long from, long until) {
        lock.lock();
        try {
            boolean isHere = has(wanted.volume, from, until);
            if (isHere) {
                read(wanted, from, until);
            }
            return isHere;
        } finally {
            lock.unlock();
        }
    }

    private boolean copied(Wanted wanted, long block) {
        long key = BlockKey.of(wanted.volume, block);
        if (wanted.isAhead) {
            return policy.find(key) != MultiQueue.NONE;
        }
        int frame = policy.read(key);
        if (frame != MultiQueue.NONE) {
            MemorySegment.copy(frames, (long) frame * BLOCK, wanted.into, wanted.at(block), BLOCK);
        }
        return frame != MultiQueue.NONE;
    }

    /** From now on nobody finds these blocks here, until the change has {@link #changed ended}. */
    void change(Range range) {
        lock.lock();
        try {
            if (!changing.equals(Range.NONE)) {
                throw new IllegalStateException("one change at a time");
            }
            changing = range;
            for (Fill fill : fills) {
                fill.isStale |= range.overlaps(fill.wanted.volume, fill.from, fill.until);
            }
        } finally {
            lock.unlock();
        }
    }

    /** While they are changed: what they have then, from {@code at} on. */
    void put(int volume, long from, long until, MemorySegment data, long at) {
        lock.lock();
        try {
            for (long block = from; block < until; block++) {
                int frame = policy.put(BlockKey.of(volume, block));
                MemorySegment.copy(data, at + (block - from) * BLOCK, frames, (long) frame * BLOCK, BLOCK);
            }
        } finally {
            lock.unlock();
        }
    }

    /** They are found here again, those of them that are still true. */
    void changed(boolean isTrue) {
        lock.lock();
        try {
            if (!isTrue) {
                policy.remove(changing.volume, changing.first, changing.end);
            }
            changing = Range.NONE;
        } finally {
            lock.unlock();
        }
    }

    /** Those of these blocks that are here are not any more. */
    void forget(Range range) {
        lock.lock();
        try {
            policy.remove(range.volume, range.first, range.end);
        } finally {
            lock.unlock();
        }
    }

    CacheFigures figures() {
        lock.lock();
        try {
            return policy.figures();
        } finally {
            lock.unlock();
        }
    }
}
