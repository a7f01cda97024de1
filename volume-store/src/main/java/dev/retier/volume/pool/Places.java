package dev.retier.volume.pool;

import java.util.Arrays;

/** How many maps say of each cluster of the pool's file that it is theirs: a byte for most. Not thread-safe. */
public final class Places {
    private static final int CHUNK_BITS = 16;
    private static final int IN_CHUNK = (1 << CHUNK_BITS) - 1;
    private static final int BYTE = 0xFF;

    /** The low bytes of these numbers, so many together; null where all are zero. */
    private byte[][] low = new byte[1][];
    /** What is above these, where one has more; else null. */
    private char[][] high = new char[1][];

    private int next;
    private long used;

    private int users(int at) {
        int chunk = at >>> CHUNK_BITS;
        if (chunk >= low.length || low[chunk] == null) {
            return 0;
        }
        return (low[chunk][at & IN_CHUNK] & BYTE) | (high[chunk] == null ? 0 : high[chunk][at & IN_CHUNK] << Byte.SIZE);
    }

    private void set(int at, int users) {
        int chunk = at >>> CHUNK_BITS;
        if (chunk >= low.length) {
            low = Arrays.copyOf(low, Math.max(chunk + 1, low.length * 2));
            high = Arrays.copyOf(high, low.length);
        }
        if (low[chunk] == null) {
            low[chunk] = new byte[IN_CHUNK + 1];
        }
        if (high[chunk] == null && users > BYTE) {
            high[chunk] = new char[IN_CHUNK + 1];
        }
        low[chunk][at & IN_CHUNK] = (byte) users;
        if (high[chunk] != null) {
            high[chunk][at & IN_CHUNK] = (char) (users >>> Byte.SIZE);
        }
    }

    /** One more has it. */
    public void take(long place) {
        int at = Math.toIntExact(place);
        int before = users(at);
        used += before == 0 ? 1 : 0;
        set(at, before + 1);
    }

    /** One that nobody had, the lowest behind the one that was given last, and which one has now. */
    public long give() {
        while (users(next) > 0) {
            next++;
        }
        take(next);
        return next;
    }

    /**
     * One less has it; when none has, it can be given again.
     *
     * @return whether none has
     */
    public boolean free(long place) {
        int at = Math.toIntExact(place);
        int left = users(at) - 1;
        set(at, left);
        if (left == 0) {
            used--;
            next = Math.min(next, at);
        }
        return left == 0;
    }

    /** The first from {@code place} on that nobody has. */
    public long nextUnused(long place) {
        long at = place;
        while (users((int) at) > 0) {
            at++;
        }
        return at;
    }

    /** The first from {@code place} on that one has; {@code end} if there is none before it. */
    public long nextUsed(long place, long end) {
        long at = place;
        while (at < end && users((int) at) == 0) {
            at++;
        }
        return at;
    }

    /** Whether more than one has it. */
    public boolean isShared(long place) {
        return users(Math.toIntExact(place)) > 1;
    }

    /** How many are in use. */
    public long used() {
        return used;
    }
}
