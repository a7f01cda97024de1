package dev.retier.traces.worldcup;

import java.util.Arrays;

/**
 * The last known body length of each object, so that a request answered 304 asks for the same URL as the one before it
 * that was answered 200. Ids beyond {@link #MAX_OBJECTS} are not remembered. One thread.
 */
final class ObjectSizes {
    /** The site had 89,997 objects; a file of our own making may have more. */
    static final int MAX_OBJECTS = 1 << 20;

    private static final long NEVER_SEEN = -1;

    private long[] sizes = new long[0];

    void learn(long objectId, long sizeBytes) {
        if (objectId < MAX_OBJECTS) {
            grow((int) objectId);
            sizes[(int) objectId] = sizeBytes;
        }
    }

    /** The size learnt, or 0: an object never seen whole was never seen with a body. */
    long sizeOf(long objectId) {
        return objectId < sizes.length ? Math.max(0, sizes[(int) objectId]) : 0;
    }

    private void grow(int index) {
        if (index >= sizes.length) {
            int old = sizes.length;
            sizes = Arrays.copyOf(sizes, Math.min(MAX_OBJECTS, Math.max(index + 1, old * 2)));
            Arrays.fill(sizes, old, sizes.length, NEVER_SEEN);
        }
    }
}
