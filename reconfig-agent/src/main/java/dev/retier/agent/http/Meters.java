package dev.retier.agent.http;

import dev.retier.link.Metric;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The meters of one process. The Prometheus name is {@code retier_<id>[_<unit>][_total]}. Thread-safe. */
public final class Meters {
    static final String PREFIX = "retier.";

    /** What each source has told for the scrape that this thread makes. */
    private static final ScopedValue<Map<Supplier<Map<Metric, Long>>, Map<Metric, Long>>> TOLD =
            ScopedValue.newInstance();

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** Meters do not keep what they ask. */
    private final Queue<Supplier<Map<Metric, Long>>> asked = new ConcurrentLinkedQueue<>();

    /** Those of the process are there from the start. */
    public Meters() {
        ProcessGauges.register(registry);
    }

    /** Where they are registered. */
    PrometheusMeterRegistry registry() {
        return registry;
    }

    /**
     * A figure that somebody keeps. Labels are name, value, name, value.
     *
     * @param source asked once for each scrape, of however many figures it is the source
     */
    public void figure(Metric metric, Supplier<Map<Metric, Long>> source, String... labels) {
        asked.add(source);
        String name = PREFIX + metric.id();
        ToDoubleFunction<Supplier<Map<Metric, Long>>> figure =
                from -> told(from).getOrDefault(metric, 0L);
        switch (metric.kind()) {
            case COUNTER ->
                FunctionCounter.builder(name, source, figure)
                        .description(metric.sentence())
                        .tags(labels)
                        .register(registry);
            case GAUGE ->
                Gauge.builder(name, source, figure)
                        .description(metric.sentence())
                        .tags(labels)
                        .register(registry);
            case TIMER -> throw new IllegalArgumentException(metric + " is recorded, not asked for");
        }
    }

    private static Map<Metric, Long> told(Supplier<Map<Metric, Long>> source) {
        return TOLD.isBound() ? TOLD.get().computeIfAbsent(source, Supplier::get) : source.get();
    }

    /**
     * Takes how long each of something took; it is there from now on, with no record.
     *
     * @param buckets upper bounds of those of its histogram, ascending
     */
    public Consumer<Duration> timer(Metric metric, List<Duration> buckets, String... labels) {
        return Timer.builder(PREFIX + metric.id())
                .description(metric.sentence())
                .tags(labels)
                .serviceLevelObjectives(buckets.toArray(Duration[]::new))
                .register(registry)::record;
    }

    /** All meters as text for a scraper that accepts {@code accepted}. */
    public String scrape(String accepted) {
        return ScopedValue.where(TOLD, new IdentityHashMap<>()).call(() -> registry.scrape(accepted));
    }
}
