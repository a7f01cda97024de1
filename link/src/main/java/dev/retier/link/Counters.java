package dev.retier.link;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What one node counts, and which complaints it has made already. Thread-safe. */
public final class Counters {
    /** Complaints remembered; who makes up more is told again from the start. */
    private static final int MAX_COMPLAINTS = 256;

    private final Map<Metric, LongAdder> counts = new HashMap<>();
    /** Guarded by this. */
    private final Set<String> complaints = new HashSet<>();

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
        LongAdder count = counts.get(metric);
        if (count == null) {
            throw new IllegalArgumentException(metric + " is not counted");
        }
        count.increment();
    }

    /** Whether {@code complaint} is news: a peer that goes on for hours is worth one line. */
    public synchronized boolean isNews(String complaint) {
        if (complaints.size() >= MAX_COMPLAINTS) {
            complaints.clear();
        }
        return complaints.add(complaint);
    }

    /** All counts so far. */
    public Map<Metric, Long> counted() {
        Map<Metric, Long> sums = new HashMap<>();
        counts.forEach((metric, count) -> sums.put(metric, count.sum()));
        return sums;
    }
}
