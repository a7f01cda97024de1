package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.agent.view.VolumesSeen;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SharedState;
import dev.retier.state.Tier;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The gauges that read what the loops leave for others. */
final class Gauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private Gauges() {}

    static void register(AgentMetrics metrics, AgentConfig config, LoopDriver loop) {
        String version = String.valueOf(Gauges.class.getPackage().getImplementationVersion());
        metrics.gauge(
                AgentMetric.BUILD_INFO,
                () -> 1,
                "version",
                version,
                "node",
                config.node().name());
        metrics.gauge(AgentMetric.SAFE_TO_MOVE, () -> bit(isSafe(loop.shown())));
        metrics.gauge(AgentMetric.LEASE_HELD, () -> bit(loop.shown().isHolding()));
        metrics.gauge(AgentMetric.CONFIG_GENERATION, () -> loop.shown().stampOnDisk());
        metrics.gauge(AgentMetric.CONFIG_SUCCESSFUL, () -> bit(loop.shown().isFileTaken()));
        metrics.gauge(
                AgentMetric.LAST_ACTIVITY,
                () -> (System.currentTimeMillis() - loop.silence().toMillis()) / MILLIS_PER_SECOND,
                "activity",
                "control");
        for (NodeConfig node : config.cluster().nodes()) {
            registerNode(metrics, config, loop, node);
        }
    }

    /** All that the shared state counts. */
    static void registerState(AgentMetrics metrics, SharedState state) {
        state.metrics().keySet().forEach(metric -> metrics.state(metric, state));
    }

    /** Of each volume server what its table tells; NaN before the first one. */
    static void registerVolumes(AgentMetrics metrics, ClusterConfig cluster, VolumeWatch volumes) {
        cluster.volumes().servers().forEach(server -> {
            String node = cluster.node(server.node()).name();
            Supplier<VolumesSeen.Server> seen =
                    () -> volumes.newest().servers().getOrDefault(server.node(), VolumesSeen.Server.UNREAD);
            BiConsumer<AgentMetric, Function<VolumeTable, Number>> register = (metric, figure) -> metrics.gauge(
                    metric,
                    () -> Optional.ofNullable(seen.get().table()).map(figure).orElse(Double.NaN),
                    "node",
                    node);
            metrics.gauge(
                    AgentMetric.VOLUME_SERVER_READ,
                    () -> bit(seen.get().problem().isEmpty()),
                    "node",
                    node);
            metrics.gauge(AgentMetric.VOLUME_SERVER_HOLDS, () -> bit(seen.get().isHolding()), "node", node);
            register.accept(AgentMetric.VOLUMES, VolumeTable::volumes);
            register.accept(AgentMetric.VOLUMES_ATTACHED, table -> count(table, VolumeRow::isAttached));
            register.accept(
                    AgentMetric.VOLUMES_UNWELL, table -> count(table, row -> row.health() != VolumeRow.Health.GOOD));
            register.accept(
                    AgentMetric.VOLUME_REQUESTS,
                    table -> table.rows().stream()
                            .mapToDouble(row -> row.load().requestsPerSecond())
                            .sum());
            register.accept(AgentMetric.VOLUME_FREE, table -> table.room().freeBytes());
        });
    }

    private static long count(VolumeTable table, Predicate<VolumeRow> which) {
        return table.rows().stream().filter(which).count();
    }

    private static void registerNode(AgentMetrics metrics, AgentConfig config, LoopDriver loop, NodeConfig node) {
        metrics.gauge(AgentMetric.NODE_LOAD, () -> load(loop.shown(), node.id()), "node", node.name());
        metrics.gauge(AgentMetric.NODE_SERVING, () -> bit(isServing(loop.shown(), node.id())), "node", node.name());
        metrics.gauge(
                AgentMetric.NODE_CONFIG_DIFFERS,
                () -> bit(loop.shown().view().differing().contains(node.id())),
                "node",
                node.name());
        for (SiteConfig site : config.cluster().sites()) {
            for (Tier tier : Tier.values()) {
                Role role = Role.serving(site.id(), tier);
                metrics.gauge(
                        AgentMetric.NODE_ROLE,
                        () -> bit(serves(loop.shown(), node.id(), role)),
                        "node",
                        node.name(),
                        "tier",
                        RoleText.tier(role),
                        "site",
                        site.name());
            }
        }
    }

    private static boolean isSafe(LoopState now) {
        return now.view().unknownShare() <= now.config().decision().maxUnknownShare();
    }

    private static double load(LoopState now, NodeId id) {
        return now.view().nodes().get(id) instanceof NodeView.Known known
                ? known.load().utilisation()
                : Double.NaN;
    }

    private static boolean isServing(LoopState now, NodeId id) {
        NodeView node = now.view().nodes().get(id);
        return node != null && node.isServing();
    }

    private static boolean serves(LoopState now, NodeId id, Role role) {
        return now.view().word(id).map(word -> word.serves(role)).orElse(false);
    }

    private static int bit(boolean value) {
        return value ? 1 : 0;
    }
}
