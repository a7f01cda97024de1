package dev.retier.agent.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The median of the newest few samples: a single wild one changes nothing, a lasting change is taken over after half
 * of them. A value.
 *
 * @param samples the newest last
 * @param value the median, of an even number the lower one; 0 before the first sample
 */
record RecentMedian(List<Double> samples, double value) {
    private static final RecentMedian NONE = new RecentMedian(List.of(), 0);

    /** Keeps its own copy. */
    RecentMedian {
        samples = List.copyOf(samples);
    }

    /** Before the first sample. */
    static RecentMedian none() {
        return NONE;
    }

    /** After one more sample, of which it keeps {@code most}. */
    RecentMedian with(double sample, int most) {
        List<Double> next = Newest.with(samples, sample, most);
        return new RecentMedian(next, lower(next));
    }

    private static double lower(List<Double> samples) {
        List<Double> ascending = new ArrayList<>(samples);
        Collections.sort(ascending);
        return ascending.get((ascending.size() - 1) / 2);
    }
}
