package dev.retier.bench.state;

import java.util.Arrays;

/** Durations of one kind of operation. Not thread-safe. */
final class Latencies {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private long[] nanos = new long[1024];
    private int count;

    void add(long durationNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = durationNanos;
    }

    int count() {
        return count;
    }

    /** How many follow each other in a second. */
    double perSecond() {
        return count * NANOS_PER_SECOND / Arrays.stream(nanos, 0, count).sum();
    }

    /** The longest in the part of all, in their order, that has this index; 0 if none is in it. */
    double slowestMicros(int part, int parts) {
        int from = (int) ((long) count * part / parts);
        int to = (int) ((long) count * (part + 1) / parts);
        return Arrays.stream(nanos, from, to).max().orElse(0) / NANOS_PER_MICRO;
    }

    /** The duration that this share of all does not exceed, in microseconds. */
    double micros(double share) {
        if (count == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int index = (int) Math.ceil(share * count) - 1;
        return sorted[Math.clamp(index, 0, count - 1)] / NANOS_PER_MICRO;
    }
}
