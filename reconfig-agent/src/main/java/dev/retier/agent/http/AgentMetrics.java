package dev.retier.agent.http;

import dev.retier.link.Metric;
import dev.retier.state.SharedState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The meters of one agent, registered as {@link AgentMetric} describes them. Thread-safe. */
public final class AgentMetrics {
    private final Meters meters = new Meters();
    private final PrometheusMeterRegistry registry = meters.registry();
    /** As many as the registry has: to ask it for a meter costs more than all else that a look counts. */
    private final Map<Labelled, Counter> counters = new ConcurrentHashMap<>();

    private final Map<Labelled, Timer> timers = new ConcurrentHashMap<>();

    private record Labelled(AgentMetric metric, List<String> labels) {}

    /** A constant as the value of a label, as in {@code /v1/status}: in lower case. */
    public static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** A gauge that asks {@code value} at each scrape. */
    public void gauge(AgentMetric metric, Supplier<Number> value, String... labels) {
        Gauge.builder(metric.meterName(), value)
                .description(metric.sentence())
                .baseUnit(metric.unit().isEmpty() ? null : metric.unit())
                .tags(labels)
                .strongReference(true)
                .register(registry);
    }

    /** A figure that the shared state keeps, asked for at each scrape. */
    public void state(Metric metric, SharedState state) {
        meters.figure(metric, state::metrics);
    }

    /** Counts one. Labels are name, value, name, value. */
    public void count(AgentMetric metric, String... labels) {
        count(metric, 1, labels);
    }

    /** Counts so many, from 0: nothing yet, so that who asks sees the first one come. Labels as above. */
    public void count(AgentMetric metric, double amount, String... labels) {
        counters.computeIfAbsent(new Labelled(metric, List.of(labels)), this::counter)
                .increment(amount);
    }

    /** Records one duration. Labels are name, value, name, value. */
    public void time(AgentMetric metric, Duration duration, String... labels) {
        timed(metric, labels).record(duration);
    }

    /** Has the timer from now on, with no record. Labels are name, value, name, value. */
    public void times(AgentMetric metric, String... labels) {
        var _ = timed(metric, labels);
    }

    private Timer timed(AgentMetric metric, String... labels) {
        return timers.computeIfAbsent(new Labelled(metric, List.of(labels)), this::timer);
    }

    private Counter counter(Labelled of) {
        return Counter.builder(of.metric.meterName())
                .description(of.metric.sentence())
                .tags(of.labels.toArray(String[]::new))
                .register(registry);
    }

    private Timer timer(Labelled of) {
        return Timer.builder(of.metric.meterName())
                .description(of.metric.sentence())
                .tags(of.labels.toArray(String[]::new))
                .serviceLevelObjectives(of.metric.buckets().toArray(Duration[]::new))
                .register(registry);
    }

    /** All meters as text for a scraper that accepts {@code accepted}. */
    public String scrape(String accepted) {
        return meters.scrape(accepted);
    }
}
