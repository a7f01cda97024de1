package dev.retier.webnode.admin;

import dev.retier.undertow.UndertowNode;
import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.status.Tally;
import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.Metric;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Binds the metrics of a node to its counters. */
public final class NodeMetrics {
    private static final double MILLIS_PER_SECOND = 1e3;

    private final MeterRegistry registry;
    private final UndertowNode node;

    private NodeMetrics(MeterRegistry registry, UndertowNode node) {
        this.registry = registry;
        this.node = node;
    }

    /** Registers every {@link Metric} but the durations, which are told as they are known. */
    public static void bind(MeterRegistry registry, UndertowNode node, String version) {
        NodeMetrics metrics = new NodeMetrics(registry, node);
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
            byClass(Metric.REQUESTS, kind, status -> status.requestsTotal());
            byClass(Metric.COMPLETED, kind, status -> status.completedTotal());
        }
        tally(Metric.ERRORS, Tally.ERRORS);
        tally(Metric.REJECTED, Tally.REJECTED);
        tally(Metric.FORWARDED, Tally.FORWARDED);
        tally(Metric.RETRIES, Tally.RETRIES);
        tally(Metric.UPSTREAM_FAILURES, Tally.UPSTREAM_FAILURES);
        counter(Metric.CACHE_HITS, n -> n.status().cache().hitsTotal());
        counter(Metric.CACHE_MISSES, n -> n.status().cache().missesTotal());
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
        Gauge.builder(timestamp.meterName(), node, n -> n.lastAppliedUnixMillis() / MILLIS_PER_SECOND)
                .baseUnit(timestamp.unit())
                .description(timestamp.sentence())
                .register(registry);
    }

    private void byClass(Metric metric, RequestClass kind, Function<NodeStatus, Map<String, Long>> counts) {
        FunctionCounter.builder(
                        metric.meterName(), node, n -> counts.apply(n.status()).getOrDefault(kind.word(), 0L))
                .description(metric.sentence())
                .tag("class", kind.word())
                .register(registry);
    }

    private void tally(Metric metric, Tally tally) {
        counter(metric, n -> n.count(tally));
    }

    private void counter(Metric metric, ToDoubleFunction<UndertowNode> value) {
        FunctionCounter.builder(metric.meterName(), node, value)
                .description(metric.sentence())
                .register(registry);
    }

    private void gauge(Metric metric, ToDoubleFunction<NodeStatus> value) {
        Gauge.Builder<UndertowNode> gauge = Gauge.builder(
                        metric.meterName(), node, n -> value.applyAsDouble(n.status()))
                .description(metric.sentence());
        if (!metric.unit().isEmpty()) {
            gauge.baseUnit(metric.unit());
        }
        gauge.register(registry);
    }
}
