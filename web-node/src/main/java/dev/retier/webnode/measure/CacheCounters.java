package dev.retier.webnode.measure;

import java.util.concurrent.atomic.LongAdder;

/** How often the memory of a proxy had what was asked for, over the life of the node. Thread-safe. */
public final class CacheCounters {
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** A static request was answered without asking an app node for it. */
    public void hit() {
        hits.increment();
    }

    /** A static request had to be fetched. */
    public void miss() {
        misses.increment();
    }

    /** Hits so far. */
    public long hits() {
        return hits.sum();
    }

    /** Misses so far. */
    public long misses() {
        return misses.sum();
    }
}
