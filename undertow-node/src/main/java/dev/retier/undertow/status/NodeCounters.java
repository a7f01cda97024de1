package dev.retier.undertow.status;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Everything a node counts. Thread-safe. */
public final class NodeCounters {
    private static final int SERVER_ERROR = 500;

    private final Map<Tally, LongAdder> tallies = new EnumMap<>(Tally.class);
    private final Map<String, ClassCounters> classes = new LinkedHashMap<>();
    private volatile long lastClientRequestNanos;
    private volatile boolean anyClientRequest;

    /** All zero, for requests of these classes. */
    public NodeCounters(List<String> classes) {
        for (Tally tally : Tally.values()) {
            tallies.put(tally, new LongAdder());
        }
        for (String name : classes) {
            this.classes.put(name, new ClassCounters());
        }
    }

    /** Counts one. */
    public void add(Tally tally) {
        of(tally).increment();
    }

    /** The count so far. */
    public long get(Tally tally) {
        return of(tally).sum();
    }

    /** A request of this class was let in. */
    public void started(String name, boolean fromClient, long nowNanos) {
        of(name).requests.increment();
        if (fromClient) {
            lastClientRequestNanos = nowNanos;
            anyClientRequest = true;
        }
    }

    /** A request that was let in is over, answered with {@code status}. */
    public void ended(String name, int status, long nowNanos) {
        if (status >= SERVER_ERROR) {
            add(Tally.ERRORS);
        } else {
            of(name).complete(nowNanos);
        }
    }

    /** Requests let in, by class. */
    public Map<String, Long> requests() {
        return byClass(counters -> counters.requests.sum());
    }

    /** Requests answered below status 500, by class. */
    public Map<String, Long> completed() {
        return byClass(counters -> counters.completed.sum());
    }

    /** Completed per second over the last second, by class. */
    public Map<String, Double> completedPerSecond(long nowNanos) {
        return byClass(counters -> counters.perSecond(nowNanos));
    }

    /** Seconds since the last request from a client (not from another node), or -1 when there was none. */
    public double lastClientRequestAgeSeconds(long nowNanos) {
        return anyClientRequest ? Math.max(0, nowNanos - lastClientRequestNanos) / 1e9 : -1;
    }

    private <V> Map<String, V> byClass(Function<ClassCounters, V> value) {
        Map<String, V> values = new LinkedHashMap<>();
        classes.forEach((name, counters) -> values.put(name, value.apply(counters)));
        return values;
    }

    private LongAdder of(Tally tally) {
        LongAdder adder = tallies.get(tally);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + tally);
        }
        return adder;
    }

    private ClassCounters of(String name) {
        ClassCounters counters = classes.get(name);
        if (counters == null) {
            throw new IllegalStateException("a request of class \"" + name + "\", which is none of "
                    + String.join(", ", classes.keySet()) + "; give the node its name");
        }
        return counters;
    }

    private static final class ClassCounters {
        private final LongAdder requests = new LongAdder();
        private final LongAdder completed = new LongAdder();
        private final ReentrantLock lock = new ReentrantLock();
        private final RateWindow window = new RateWindow(System.nanoTime());

        void complete(long nowNanos) {
            completed.increment();
            lock.lock();
            try {
                window.record(nowNanos);
            } finally {
                lock.unlock();
            }
        }

        double perSecond(long nowNanos) {
            lock.lock();
            try {
                return window.perSecond(nowNanos);
            } finally {
                lock.unlock();
            }
        }
    }
}
