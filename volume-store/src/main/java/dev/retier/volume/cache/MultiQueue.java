package dev.retier.volume.cache;

import java.util.ArrayList;
import java.util.List;

/**
 * Which blocks are in which frames (Zhou, Philbin, Li: The Multi-Queue Replacement Algorithm for Second Level Buffer
 * Caches, USENIX 2001, section 4). A block that was used f times is in queue log2 f, at its end when it is used; who is
 * at the front of a queue and was not used for the lifetime goes to the end of the queue below. Who is at the front of
 * the lowest queue leaves, and is remembered with its f for a while, in case it comes again. With one queue and no
 * memory of who left it is LRU. Time is counted in uses. Not thread-safe.
 */
public final class MultiQueue {
    /** No frame. */
    public static final int NONE = Entries.NONE;

    private final Shape shape;
    private final Entries entries;
    /** By entry: its frame, how often it was used, and when it goes a queue down. */
    private final int[] frame;

    private final int[] uses;
    private final long[] expiry;
    /** Frames that nobody has. */
    private final int[] freeFrames;

    private int free;
    private int remembered;
    private long now;
    private long hits;
    private long misses;
    private long evictions;
    private long aheadUsed;
    private long aheadUnused;

    /**
     * Of the queues.
     *
     * @param frames how many blocks there may be, at least 1
     * @param queues how many, 1 to 31
     * @param remembered of how many blocks that left it is known how often they were used
     * @param lifetime after so many uses of others, at least 1, an unused block goes a queue down
     */
    public record Shape(int frames, int queues, int remembered, long lifetime) {
        private static final int QUEUES = 8;
        private static final int LIFETIMES = 4;

        /** Refuses what is out of range with {@link IllegalArgumentException}. */
        public Shape {
            if (frames < 1 || queues < 1 || queues > 31 || remembered < 0 || lifetime < 1) {
                throw new IllegalArgumentException(frames + " frames, " + queues + " queues, " + remembered
                        + " remembered, a lifetime of " + lifetime);
            }
        }

        /** Eight queues as in the source; as many blocks remembered as there are frames; four times that to live. */
        static Shape of(int frames) {
            return new Shape(frames, QUEUES, frames, (long) LIFETIMES * frames);
        }

        private int left() {
            return queues;
        }

        private int unused() {
            return queues + 1;
        }
    }

    /** One without any block. */
    public MultiQueue(Shape shape) {
        this.shape = shape;
        int count = Math.addExact(shape.frames, shape.remembered);
        this.entries = new Entries(count, shape.queues + 2);
        this.frame = new int[count];
        this.uses = new int[count];
        this.expiry = new long[count];
        this.freeFrames = new int[shape.frames];
        for (int each = shape.frames - 1; each >= 0; each--) {
            freeFrames[free++] = each;
        }
    }

    /** The frame of a block, or {@link #NONE}; nobody uses it by that. */
    public int find(long key) {
        int entry = entries.find(key);
        return isHere(entry) ? frame[entry] : NONE;
    }

    private boolean isHere(int entry) {
        return entry != NONE && entries.listOf(entry) < shape.queues;
    }

    /** Somebody reads a block: its frame, or {@link #NONE}. */
    public int read(long key) {
        int entry = entries.find(key);
        if (!isHere(entry)) {
            misses++;
            return NONE;
        }
        hits++;
        aheadUsed += uses[entry] == 0 ? 1 : 0;
        use(entry);
        return frame[entry];
    }

    /** A block that is written, or was read as it was not here, is here from now on: its frame. */
    public int put(long key) {
        int entry = entries.find(key);
        if (isHere(entry)) {
            aheadUnused += uses[entry] == 0 ? 1 : 0;
        } else {
            entry = enter(key, entry);
        }
        use(entry);
        return frame[entry];
    }

    /** A block that is not here, and that nobody has asked for yet, is here from now on: its frame. */
    public int putAhead(long key) {
        int entry = entries.find(key);
        if (isHere(entry)) {
            throw new IllegalStateException("it is here");
        }
        entry = enter(key, entry);
        uses[entry] = 0;
        place(entry);
        return frame[entry];
    }

    /** Gives a block a frame, with the uses that are known of it. */
    private int enter(long key, int known) {
        if (free == 0) {
            evict();
        }
        // The one that had to leave may have taken the place of this one among those who are remembered.
        int entry = known == NONE ? NONE : entries.find(key);
        if (entry == NONE) {
            entry = entries.first(shape.unused());
            entries.name(entry, key);
            uses[entry] = 0;
        } else {
            remembered--;
        }
        frame[entry] = freeFrames[--free];
        return entry;
    }

    private void evict() {
        int queue = 0;
        while (entries.first(queue) == NONE) {
            queue++;
        }
        int victim = entries.first(queue);
        evictions++;
        if (uses[victim] == 0 || shape.remembered == 0) {
            forget(victim);
            return;
        }
        freeFrames[free++] = frame[victim];
        if (remembered == shape.remembered) {
            int oldest = entries.first(shape.left());
            entries.unname(oldest);
            entries.move(oldest, shape.unused());
            remembered--;
        }
        entries.move(victim, shape.left());
        remembered++;
    }

    private void forget(int entry) {
        aheadUnused += uses[entry] == 0 ? 1 : 0;
        freeFrames[free++] = frame[entry];
        entries.unname(entry);
        entries.move(entry, shape.unused());
    }

    private void use(int entry) {
        uses[entry] += uses[entry] == Integer.MAX_VALUE ? 0 : 1;
        place(entry);
        now++;
        for (int queue = 1; queue < shape.queues; queue++) {
            int oldest = entries.first(queue);
            if (oldest != NONE && expiry[oldest] < now) {
                entries.move(oldest, queue - 1);
                expiry[oldest] = now + shape.lifetime;
            }
        }
    }

    private void place(int entry) {
        int log = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, uses[entry]));
        entries.move(entry, Math.min(log, shape.queues - 1));
        expiry[entry] = now + shape.lifetime;
    }

    /** The blocks of a volume from {@code first} up to, and without, {@code end} are not here any more. */
    public void remove(int volume, long first, long end) {
        if (end - first < shape.frames) {
            for (long block = first; block < end; block++) {
                int entry = entries.find(BlockKey.of(volume, block));
                if (isHere(entry)) {
                    forget(entry);
                }
            }
        } else {
            allOf(volume, first, end).forEach(this::forget);
        }
    }

    private List<Integer> allOf(int volume, long first, long end) {
        List<Integer> found = new ArrayList<>();
        for (int entry = 0; entry < entries.count(); entry++) {
            long key = entries.key(entry);
            long block = BlockKey.block(key);
            if (isHere(entry) && BlockKey.volume(key) == volume && block >= first && block < end) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Of how many blocks that were read ahead somebody has asked since. */
    public long aheadUsed() {
        return aheadUsed;
    }

    /** What it has done. */
    public CacheFigures figures() {
        return new CacheFigures(
                shape.frames, (long) shape.frames - free, hits, misses, evictions, aheadUsed, aheadUnused);
    }
}
