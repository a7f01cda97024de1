package dev.retier.volume.cache;

import java.util.Arrays;

/**
 * Entries by number, each with a key or free, found by their keys and in one of some lists each. Rows of numbers in
 * place of objects: 25 bytes for an entry. Not thread-safe.
 */
final class Entries {
    static final int NONE = -1;

    private final int lists;
    /** Behind the entries the ends of the lists, each a ring. */
    private final int[] next;

    private final int[] previous;
    private final byte[] list;
    private final long[] keys;
    /** By hash the first entry, and of each entry the next one of the same bucket. */
    private final int[] buckets;

    private final int[] sameBucket;

    /** All without a key, and in the last one of the lists. */
    Entries(int count, int lists) {
        this.lists = lists;
        this.next = new int[count + lists];
        this.previous = new int[count + lists];
        this.list = new byte[count];
        this.keys = new long[count];
        this.sameBucket = new int[count];
        this.buckets = new int[Integer.highestOneBit(Math.max(1, count)) * 2];
        Arrays.fill(buckets, NONE);
        for (int each = 0; each < lists; each++) {
            int end = count + each;
            next[end] = end;
            previous[end] = end;
        }
        for (int entry = 0; entry < count; entry++) {
            link(entry, lists - 1);
        }
    }

    private int end(int of) {
        return next.length - lists + of;
    }

    private void link(int entry, int to) {
        int end = end(to);
        list[entry] = (byte) to;
        previous[entry] = previous[end];
        next[entry] = end;
        next[previous[end]] = entry;
        previous[end] = entry;
    }

    /** Makes it the last one of a list; it leaves the one that it is in. */
    void move(int entry, int to) {
        next[previous[entry]] = next[entry];
        previous[next[entry]] = previous[entry];
        link(entry, to);
    }

    int listOf(int entry) {
        return list[entry];
    }

    /** The first one of a list, or {@link #NONE}. */
    int first(int of) {
        int entry = next[end(of)];
        return entry == end(of) ? NONE : entry;
    }

    long key(int entry) {
        return keys[entry];
    }

    private int bucket(long key) {
        return BlockKey.hash(key) & (buckets.length - 1);
    }

    /** The entry of that key, or {@link #NONE}. */
    int find(long key) {
        int entry = buckets[bucket(key)];
        while (entry != NONE && keys[entry] != key) {
            entry = sameBucket[entry];
        }
        return entry;
    }

    /** Gives a key that no other entry has to an entry without one. */
    void name(int entry, long key) {
        int bucket = bucket(key);
        keys[entry] = key;
        sameBucket[entry] = buckets[bucket];
        buckets[bucket] = entry;
    }

    /** Takes its key. */
    void unname(int entry) {
        int bucket = bucket(keys[entry]);
        if (buckets[bucket] == entry) {
            buckets[bucket] = sameBucket[entry];
        } else {
            int before = buckets[bucket];
            while (sameBucket[before] != entry) {
                before = sameBucket[before];
            }
            sameBucket[before] = sameBucket[entry];
        }
    }

    /** How many there are, free ones too. */
    int count() {
        return keys.length;
    }
}
