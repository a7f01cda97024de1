package dev.retier.agent.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.function.Supplier;

/** The meters of one agent, registered as {@link AgentMetric} describes them. Thread-safe. */
public final class AgentMetrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** A gauge that asks {@code value} at each scrape. */
    public void gauge(AgentMetric metric, Supplier<Number> value, String... labels) {
        Gauge.builder(metric.meterName(), value)
                .description(metric.sentence())
                .baseUnit(metric.unit().isEmpty() ? null : metric.unit())
                .tags(labels)
                .strongReference(true)
                .register(registry);
    }

    /** Counts one. Labels are name, value, name, value. */
    public void count(AgentMetric metric, String... labels) {
        Counter.builder(metric.meterName())
                .description(metric.sentence())
                .tags(labels)
                .register(registry)
                .increment();
    }

    /** Records one duration. Labels are name, value, name, value. */
    public void time(AgentMetric metric, Duration duration, String... labels) {
        Timer.builder(metric.meterName())
                .description(metric.sentence())
                .tags(labels)
                .register(registry)
                .record(duration);
    }

    /** All meters as text for a scraper that accepts {@code accepted}. */
    public String scrape(String accepted) {
        return registry.scrape(accepted);
    }
}
