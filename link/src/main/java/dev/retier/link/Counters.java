package dev.retier.link;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one node counts. Thread-safe. */
public final class Counters {
    private final Map<Metric, LongAdder> counts = new HashMap<>();

    /** Nothing counted yet, of the counters among {@code metrics}. */
    public Counters(Collection<? extends Metric> metrics) {
        for (Metric metric : metrics) {
            if (metric.kind() == Metric.Kind.COUNTER) {
                counts.put(metric, new LongAdder());
            }
        }
    }

    /** Counts one. */
    public void count(Metric metric) {
        count(metric, 1);
    }

    /** Counts so many. */
    public void count(Metric metric, long amount) {
        LongAdder count = counts.get(metric);
        if (count == null) {
            throw new IllegalArgumentException(metric + " is not counted");
        }
        count.add(amount);
    }

    /** All counts so far. */
    public Map<Metric, Long> counted() {
        Map<Metric, Long> sums = new HashMap<>();
        counts.forEach((metric, count) -> sums.put(metric, count.sum()));
        return sums;
    }
}
