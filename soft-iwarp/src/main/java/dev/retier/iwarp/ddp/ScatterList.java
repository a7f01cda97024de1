package dev.retier.iwarp.ddp;

import dev.retier.iwarp.memory.AccessResult;

/** The scatter/gather elements of one work request. Reused; owned by one thread at a time. */
public final class ScatterList {
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private int count;
    private long total;

    /** An empty list with room for {@code capacity} pieces. */
    public ScatterList(int capacity) {
        addresses = new long[capacity];
        lengths = new int[capacity];
        keys = new int[capacity];
    }

    /** Empties the list. */
    public void clear() {
        count = 0;
        total = 0;
    }

    /**
     * Adds an element. Empty ones are left out: they touch no memory.
     *
     * @throws IllegalArgumentException if there are too many, or the length is negative
     */
    public void add(long address, int length, int localKey) {
        if (length < 0) {
            throw new IllegalArgumentException("scatter/gather element of " + length + " bytes");
        }
        if (length == 0) {
            return;
        }
        if (count == addresses.length) {
            throw new IllegalArgumentException(
                    "more than " + addresses.length + " scatter/gather elements; create the queue pair with more");
        }
        addresses[count] = address;
        lengths[count] = length;
        keys[count] = localKey;
        count++;
        total += length;
    }

    /** Bytes of all elements. */
    public long totalBytes() {
        return total;
    }

    /** The first element's address, 0 if there is none. */
    public long firstAddress() {
        return count == 0 ? 0 : addresses[0];
    }

    /** The first element's key, 0 if there is none. */
    public int firstKey() {
        return count == 0 ? 0 : keys[0];
    }

    /** Checks every element without acquiring it. */
    public AccessResult check(LocalMemory memory, int rights) {
        for (int i = 0; i < count; i++) {
            var region = memory.table().find(keys[i]);
            AccessResult result = region == null
                    ? AccessResult.INVALID_STAG
                    : region.check(memory.who(), rights, addresses[i], lengths[i]);
            if (result != AccessResult.GRANTED) {
                return result;
            }
        }
        return AccessResult.GRANTED;
    }

    /** Acquires the {@code bytes} bytes that start {@code from} bytes into the list. All or nothing. */
    public AccessResult acquire(LocalMemory memory, int rights, long from, int bytes, SpanList into) {
        long skip = from;
        int left = bytes;
        for (int i = 0; i < count && left > 0; i++) {
            if (skip >= lengths[i]) {
                skip -= lengths[i];
                continue;
            }
            int take = (int) Math.min(left, lengths[i] - skip);
            AccessResult result = into.add(memory, keys[i], rights, addresses[i] + skip, take);
            if (result != AccessResult.GRANTED) {
                into.release();
                return result;
            }
            left -= take;
            skip = 0;
        }
        if (left > 0) {
            into.release();
            return AccessResult.BOUNDS;
        }
        return AccessResult.GRANTED;
    }
}
