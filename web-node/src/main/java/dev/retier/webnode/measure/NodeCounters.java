package dev.retier.webnode.measure;

import dev.retier.webnode.core.RateWindow;
import dev.retier.webnode.core.RequestClass;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** Everything a node counts. Thread-safe. */
public final class NodeCounters {
    private static final int SERVER_ERROR = 500;

    private final Map<Tally, LongAdder> tallies = new EnumMap<>(Tally.class);
    private final Map<RequestClass, ClassCounters> classes = new EnumMap<>(RequestClass.class);
    private volatile long lastClientRequestNanos;
    private volatile boolean anyClientRequest;

    /** All zero; durations go into timers of {@code registry}. */
    public NodeCounters(MeterRegistry registry) {
        for (Tally tally : Tally.values()) {
            tallies.put(tally, new LongAdder());
        }
        for (RequestClass kind : RequestClass.values()) {
            classes.put(kind, new ClassCounters(timer(kind, registry)));
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
    public void started(RequestClass kind, boolean fromClient, long nowNanos) {
        of(kind).requests.increment();
        if (fromClient) {
            lastClientRequestNanos = nowNanos;
            anyClientRequest = true;
        }
    }

    /** A request that was let in is over, answered with {@code status}. */
    public void ended(RequestClass kind, int status, long startNanos, long nowNanos) {
        ClassCounters counters = of(kind);
        counters.duration.record(Duration.ofNanos(nowNanos - startNanos));
        if (status >= SERVER_ERROR) {
            add(Tally.ERRORS);
            return;
        }
        counters.completed.increment();
        counters.countInWindow(nowNanos);
    }

    /** Requests of this class that were let in. */
    public long requests(RequestClass kind) {
        return of(kind).requests.sum();
    }

    /** Requests of this class that were answered below status 500. */
    public long completed(RequestClass kind) {
        return of(kind).completed.sum();
    }

    /** Completed per second over the last second. */
    public double completedPerSecond(RequestClass kind, long nowNanos) {
        return of(kind).perSecond(nowNanos);
    }

    /** Seconds since the last request from a client (not from another node), or -1 when there was none. */
    public double lastClientRequestAgeSeconds(long nowNanos) {
        return anyClientRequest ? Math.max(0, nowNanos - lastClientRequestNanos) / 1e9 : -1;
    }

    private LongAdder of(Tally tally) {
        LongAdder adder = tallies.get(tally);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + tally);
        }
        return adder;
    }

    private ClassCounters of(RequestClass kind) {
        ClassCounters counters = classes.get(kind);
        if (counters == null) {
            throw new IllegalStateException("no counters for " + kind);
        }
        return counters;
    }

    private static Timer timer(RequestClass kind, MeterRegistry registry) {
        return Timer.builder(Metric.REQUEST_DURATION.meterName())
                .description(Metric.REQUEST_DURATION.sentence())
                .tag("class", kind.word())
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5))
                .register(registry);
    }

    private static final class ClassCounters {
        private final LongAdder requests = new LongAdder();
        private final LongAdder completed = new LongAdder();
        private final Timer duration;
        private final ReentrantLock lock = new ReentrantLock();
        private final RateWindow window = new RateWindow(System.nanoTime());

        ClassCounters(Timer duration) {
            this.duration = duration;
        }

        void countInWindow(long nowNanos) {
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
