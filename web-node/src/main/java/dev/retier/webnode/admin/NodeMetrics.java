package dev.retier.webnode.admin;

import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.Metric;
import dev.retier.webnode.measure.NodeCounters;
import dev.retier.webnode.measure.NodeStatus;
import dev.retier.webnode.measure.Tally;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Binds the metrics of a node to its counters. */
public final class NodeMetrics {
    private final MeterRegistry registry;
    private final NodeView node;
    private final NodeCounters counters;

    private NodeMetrics(MeterRegistry registry, NodeView node, NodeCounters counters) {
        this.registry = registry;
        this.node = node;
        this.counters = counters;
    }

    /** Registers every {@link Metric} but the durations, which the counters feed themselves. */
    public static void bind(MeterRegistry registry, NodeView node, NodeCounters counters, String version) {
        NodeMetrics metrics = new NodeMetrics(registry, node, counters);
        metrics.bindBuild(version);
        metrics.bindCounters();
        metrics.bindLoad();
        metrics.bindConfig();
    }

    private void bindBuild(String version) {
        Gauge.builder(Metric.BUILD_INFO.meterName(), () -> 1)
                .description(Metric.BUILD_INFO.sentence())
                .tag("version", version)
                .tag("node", node.status().node())
                .register(registry);
    }

    private void bindCounters() {
        for (RequestClass kind : RequestClass.values()) {
            byClass(Metric.REQUESTS, kind, c -> c.requests(kind));
            byClass(Metric.COMPLETED, kind, c -> c.completed(kind));
        }
        tally(Metric.ERRORS, Tally.ERRORS);
        tally(Metric.REJECTED, Tally.REJECTED);
        tally(Metric.FORWARDED, Tally.FORWARDED);
        tally(Metric.RETRIES, Tally.RETRIES);
        tally(Metric.UPSTREAM_FAILURES, Tally.UPSTREAM_FAILURES);
        tally(Metric.CACHE_HITS, Tally.CACHE_HITS);
        tally(Metric.CACHE_MISSES, Tally.CACHE_MISSES);
        tally(Metric.LET_GO, Tally.LET_GO);
        tally(Metric.CONFIG_APPLIED, Tally.ROLE_FILES_APPLIED);
        tally(Metric.CONFIG_REFUSED, Tally.ROLE_FILES_REFUSED);
    }

    private void bindLoad() {
        FunctionCounter.builder(Metric.BUSY.meterName(), node, n -> n.status().busySecondsTotal())
                .baseUnit(Metric.BUSY.unit())
                .description(Metric.BUSY.sentence())
                .register(registry);
        gauge(Metric.BACKLOG, NodeStatus::backlogSeconds);
        gauge(Metric.CAPACITY, NodeStatus::capacityUnitsPerSecond);
        gauge(Metric.IN_FLIGHT, NodeStatus::inFlight);
        gauge(Metric.CLIENT_IN_FLIGHT, NodeStatus::clientInFlight);
        gauge(Metric.SENDS_BY_LOADS, status -> status.sendsByLoads() ? 1 : 0);
        gauge(Metric.CACHE_ENTRIES, status -> status.cache().entries());
        gauge(Metric.CACHE_SIZE, status -> status.cache().bytes());
    }

    private void bindConfig() {
        gauge(Metric.CONFIG_GENERATION, NodeStatus::appliedEpoch);
        gauge(Metric.CONFIG_LAST_RELOAD_SUCCESSFUL, status -> status.lastRefusal() == null ? 1 : 0);
        Metric timestamp = Metric.CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP;
        Gauge.builder(timestamp.meterName(), node, NodeView::lastAppliedUnixSeconds)
                .baseUnit(timestamp.unit())
                .description(timestamp.sentence())
                .register(registry);
    }

    private void byClass(Metric metric, RequestClass kind, ToDoubleFunction<NodeCounters> value) {
        FunctionCounter.builder(metric.meterName(), counters, value)
                .description(metric.sentence())
                .tag("class", kind.word())
                .register(registry);
    }

    private void tally(Metric metric, Tally tally) {
        FunctionCounter.builder(metric.meterName(), counters, c -> c.get(tally))
                .description(metric.sentence())
                .register(registry);
    }

    private void gauge(Metric metric, ToDoubleFunction<NodeStatus> value) {
        Gauge.Builder<NodeView> gauge = Gauge.builder(metric.meterName(), node, n -> value.applyAsDouble(n.status()))
                .description(metric.sentence());
        if (!metric.unit().isEmpty()) {
            gauge.baseUnit(metric.unit());
        }
        gauge.register(registry);
    }
}
