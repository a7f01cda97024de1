package dev.retier.agent.decide;

import java.util.List;

/**
 * The median of the newest few samples: a single wild one changes nothing, a lasting change is taken over after half
 * of them. A value.
 *
 * @param samples the newest last
 */
record RecentMedian(List<Double> samples) {
    private static final int MAX_SAMPLES = 5;
    private static final RecentMedian NONE = new RecentMedian(List.of());

    /** Keeps its own copy. */
    RecentMedian {
        samples = List.copyOf(samples);
    }

    /** Before the first sample. */
    static RecentMedian none() {
        return NONE;
    }

    /** After one more sample. */
    RecentMedian with(double sample) {
        return new RecentMedian(Newest.with(samples, sample, MAX_SAMPLES));
    }

    /** The median, of an even number the lower one; 0 before the first sample. */
    double value() {
        return Pressure.reachedByMost(samples);
    }
}
