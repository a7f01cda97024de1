package dev.retier.state.verbs;

import dev.retier.state.StateMetric;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** What one node counts, and which complaints it has made already. Thread-safe. */
public final class Counters {
    /** Complaints remembered; who makes up more is told again from the start. */
    private static final int MAX_COMPLAINTS = 256;

    private final Map<StateMetric, LongAdder> counts = new EnumMap<>(StateMetric.class);
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Set<String> complaints = new HashSet<>();

    /** Nothing counted yet, of the counters among {@code metrics}. */
    public Counters(Set<StateMetric> metrics) {
        for (StateMetric metric : metrics) {
            if (metric.kind() == StateMetric.Kind.COUNTER) {
                counts.put(metric, new LongAdder());
            }
        }
    }

    /** Counts one. */
    public void count(StateMetric metric) {
        LongAdder count = counts.get(metric);
        if (count == null) {
            throw new IllegalArgumentException(metric + " is not counted");
        }
        count.increment();
    }

    /** Whether {@code complaint} is news: a peer that goes on for hours is worth one line. */
    boolean isNews(String complaint) {
        lock.lock();
        try {
            if (complaints.size() >= MAX_COMPLAINTS) {
                complaints.clear();
            }
            return complaints.add(complaint);
        } finally {
            lock.unlock();
        }
    }

    /** All counts so far. */
    public Map<StateMetric, Long> counted() {
        Map<StateMetric, Long> sums = new EnumMap<>(StateMetric.class);
        counts.forEach((metric, count) -> sums.put(metric, count.sum()));
        return sums;
    }
}
