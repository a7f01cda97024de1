package dev.retier.webnode.measure;

import dev.retier.webnode.core.RequestClass;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** How long requests take, by class. Thread-safe. */
public final class Durations {
    private final Map<RequestClass, Timer> timers = new EnumMap<>(RequestClass.class);

    /** Durations go into timers of {@code registry}. */
    public Durations(MeterRegistry registry) {
        for (RequestClass kind : RequestClass.values()) {
            timers.put(kind, timer(kind, registry));
        }
    }

    /** A request of this class has taken so long. */
    public void record(RequestClass kind, long nanos) {
        Timer timer = timers.get(kind);
        if (timer == null) {
            throw new IllegalStateException("no timer for " + kind);
        }
        timer.record(Duration.ofNanos(nanos));
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
}
