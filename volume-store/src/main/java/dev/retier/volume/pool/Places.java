package dev.retier.volume.pool;

import java.util.BitSet;

/** Which clusters of the pool's file are in use. Not thread-safe. */
public final class Places {
    private final BitSet used = new BitSet();
    private int next;

    /** It is in use: so a map says. */
    public void take(long place) {
        used.set(Math.toIntExact(place));
    }

    /** One that is not in use, the lowest behind the one that was given last, and which is in use now. */
    public long give() {
        next = used.nextClearBit(next);
        used.set(next);
        return next;
    }

    /** It can be given again. */
    public void free(long place) {
        used.clear(Math.toIntExact(place));
        next = Math.min(next, Math.toIntExact(place));
    }

    /** How many are in use. */
    public long used() {
        return used.cardinality();
    }
}
