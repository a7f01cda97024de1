package dev.retier.load.measure;

import java.util.Arrays;

/**
 * Rows of counts per interval of a run, in bounded memory: when a run outgrows the intervals that there may be,
 * neighbours are added together and the interval doubles. One thread at a time.
 */
final class FoldedCounts {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int FIRST_INTERVALS = 64;

    private final int maxIntervals;
    private long intervalNanos;
    private final long[][] counts;
    private int used;

    /** The interval of the last look, as most are of the same one. */
    private int presentIndex;

    private long presentStartNanos;
    private long presentEndNanos;

    /**
     * All 0.
     *
     * @param rows how many kinds of counts
     * @param intervalNanos length of an interval to begin with, at least 1 ms
     * @param maxIntervals at least 2
     */
    FoldedCounts(int rows, long intervalNanos, int maxIntervals) {
        if (intervalNanos < NANOS_PER_MILLI || maxIntervals < 2) {
            throw new IllegalArgumentException("interval of " + intervalNanos + " ns, " + maxIntervals + " at most");
        }
        this.intervalNanos = intervalNanos;
        this.maxIntervals = maxIntervals;
        this.counts = new long[rows][Math.min(maxIntervals, FIRST_INTERVALS)];
    }

    /** Adds {@code amount} at {@code offsetNanos} since the start of the run; what is earlier counts as the start. */
    void add(int row, long offsetNanos, long amount) {
        // First the index, then the array: finding the index may replace the arrays by longer ones.
        int index = indexOf(offsetNanos);
        counts[row][index] += amount;
    }

    /** Adds all of {@code other}, of as many rows, whatever its interval, if both began with the same one. */
    void addAll(FoldedCounts other) {
        while (intervalNanos < other.intervalNanos) {
            fold();
        }
        for (int i = 0; i < other.used; i++) {
            for (int row = 0; row < counts.length; row++) {
                add(row, i * other.intervalNanos, other.counts[row][i]);
            }
        }
    }

    /** The present length of an interval. */
    long intervalNanos() {
        return intervalNanos;
    }

    /** Intervals up to the last one in which anything was added. */
    int used() {
        return used;
    }

    long count(int row, int index) {
        return counts[row][index];
    }

    long startMillis(int index) {
        return index * intervalNanos / NANOS_PER_MILLI;
    }

    private int indexOf(long offsetNanos) {
        return offsetNanos >= presentStartNanos && offsetNanos < presentEndNanos ? presentIndex : find(offsetNanos);
    }

    private int find(long offsetNanos) {
        long offset = Math.max(0, offsetNanos);
        while (offset / intervalNanos >= maxIntervals) {
            fold();
        }
        presentIndex = (int) (offset / intervalNanos);
        presentStartNanos = presentIndex * intervalNanos;
        presentEndNanos = presentStartNanos + intervalNanos;
        if (presentIndex >= counts[0].length) {
            grow(presentIndex + 1);
        }
        used = Math.max(used, presentIndex + 1);
        return presentIndex;
    }

    private void grow(int needed) {
        int length = Math.min(maxIntervals, Math.max(needed, counts[0].length * 2));
        for (int c = 0; c < counts.length; c++) {
            counts[c] = Arrays.copyOf(counts[c], length);
        }
    }

    private void fold() {
        intervalNanos *= 2;
        presentEndNanos = 0;
        for (long[] column : counts) {
            for (int i = 0; i < used; i++) {
                long amount = column[i];
                column[i] = 0;
                column[i / 2] += amount;
            }
        }
        used = (used + 1) / 2;
    }
}
