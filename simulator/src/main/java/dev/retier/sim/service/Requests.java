package dev.retier.sim.service;

import java.util.Arrays;

/** The requests under way, as numbers in arrays; a place is used again. Not thread-safe. */
final class Requests {
    static final int NONE = -1;
    private static final int FIRST_CAPACITY = 256;

    int[] pool = new int[FIRST_CAPACITY];
    int[] client = new int[FIRST_CAPACITY];
    /** Place in the workload. */
    int[] index = new int[FIRST_CAPACITY];

    int[] proxy = new int[FIRST_CAPACITY];
    int[] proxyLife = new int[FIRST_CAPACITY];
    int[] app = new int[FIRST_CAPACITY];
    int[] appLife = new int[FIRST_CAPACITY];
    int[] tries = new int[FIRST_CAPACITY];
    /** Whether it fetches an object for the cache. */
    boolean[] isLeader = new boolean[FIRST_CAPACITY];
    /** The next request that waits for the same fetch. */
    int[] next = new int[FIRST_CAPACITY];
    /** When the proxy's own part of a waiting request is done. */
    long[] readyNanos = new long[FIRST_CAPACITY];

    long[] sentNanos = new long[FIRST_CAPACITY];
    private int[] free = new int[FIRST_CAPACITY];
    private int freeCount;
    private int size;

    int take() {
        int place;
        if (freeCount > 0) {
            place = free[--freeCount];
        } else {
            if (size == pool.length) {
                grow();
            }
            place = size++;
        }
        proxy[place] = NONE;
        app[place] = NONE;
        next[place] = NONE;
        tries[place] = 0;
        isLeader[place] = false;
        return place;
    }

    void give(int place) {
        free[freeCount++] = place;
    }

    int underWay() {
        return size - freeCount;
    }

    private void grow() {
        int capacity = 2 * size;
        pool = Arrays.copyOf(pool, capacity);
        client = Arrays.copyOf(client, capacity);
        index = Arrays.copyOf(index, capacity);
        proxy = Arrays.copyOf(proxy, capacity);
        proxyLife = Arrays.copyOf(proxyLife, capacity);
        app = Arrays.copyOf(app, capacity);
        appLife = Arrays.copyOf(appLife, capacity);
        tries = Arrays.copyOf(tries, capacity);
        isLeader = Arrays.copyOf(isLeader, capacity);
        next = Arrays.copyOf(next, capacity);
        readyNanos = Arrays.copyOf(readyNanos, capacity);
        sentNanos = Arrays.copyOf(sentNanos, capacity);
        free = Arrays.copyOf(free, capacity);
    }
}
