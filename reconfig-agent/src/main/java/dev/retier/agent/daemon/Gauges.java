package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.decide.SiteTrend;
import dev.retier.agent.decide.TierTrend;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.observe.VolumeWatch;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.agent.view.VolumesSeen;
import dev.retier.config.Version;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The gauges that read what the loops leave for others. */
final class Gauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private Gauges() {}

    static void register(AgentMetrics metrics, AgentConfig config, LoopDriver loop) {
        String node = config.node().name();
        metrics.gauge(AgentMetric.BUILD_INFO, () -> 1, "version", Version.current(), "node", node);
        metrics.gauge(AgentMetric.SAFE_TO_MOVE, () -> bit(isSafe(loop.shown())));
        metrics.gauge(AgentMetric.LEASE_HELD, () -> bit(loop.shown().isHolding()));
        metrics.gauge(AgentMetric.CONFIG_GENERATION, () -> loop.shown().stampOnDisk());
        metrics.gauge(AgentMetric.CONFIG_SUCCESSFUL, () -> bit(loop.shown().isFileTaken()));
        metrics.gauge(
                AgentMetric.LAST_ACTIVITY,
                () -> (System.currentTimeMillis() - loop.silence().toMillis()) / MILLIS_PER_SECOND,
                "activity",
                "control");
        metrics.gauge(AgentMetric.MOVES_IN_FLIGHT, () -> onTheirWay(loop.shown().view()));
        metrics.gauge(
                AgentMetric.NODES_DIFFERING,
                () -> loop.shown().view().differing().size());
        NodesSeen.none()
                .keySet()
                .forEach(state -> metrics.gauge(
                        AgentMetric.NODES,
                        () -> NodesSeen.of(loop.shown().view()).get(state),
                        "state",
                        state));
        for (Mode mode : Mode.values()) {
            metrics.gauge(
                    AgentMetric.MODE,
                    () -> bit(loop.shown().config().mode() == mode),
                    "mode",
                    AgentMetrics.label(mode));
        }
        metrics.gauge(
                AgentMetric.TAKE_THRESHOLD,
                () -> loop.shown().config().decision().takeThreshold());
        metrics.gauge(AgentMetric.PAUSED, () -> bit(loop.shown().isClusterPaused()), "scope", "cluster");
        metrics.gauge(AgentMetric.PAUSED, () -> bit(loop.shown().isPausedHere()), "scope", "here");
        registerNode(metrics, config, loop);
        config.cluster().sites().forEach(site -> registerSite(metrics, loop, site));
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

    private static void registerNode(AgentMetrics metrics, AgentConfig config, LoopDriver loop) {
        NodeId self = config.self();
        String node = config.node().name();
        metrics.gauge(AgentMetric.NODE_LOAD, () -> load(loop.shown(), self), "node", node);
        metrics.gauge(AgentMetric.NODE_SERVING, () -> bit(isServing(loop.shown(), self)), "node", node);
        BiConsumer<Role, String[]> register = (role, labels) ->
                metrics.gauge(AgentMetric.NODE_ROLE, () -> bit(serves(loop.shown(), self, role)), labels);
        for (SiteConfig site : config.cluster().sites()) {
            for (Tier tier : Tier.values()) {
                Role role = Role.serving(site.id(), tier);
                register.accept(role, roleLabels(node, RoleText.tier(role), site.name()));
            }
        }
        register.accept(Role.SPARE, roleLabels(node, RoleText.tier(Role.SPARE), ""));
        register.accept(Role.DRAINED, roleLabels(node, RoleText.DRAINED, ""));
    }

    private static String[] roleLabels(String node, String tier, String site) {
        return new String[] {"node", node, "tier", tier, "site", site};
    }

    /** What a site and its tiers have and should have, as every agent sees it. */
    private static void registerSite(AgentMetrics metrics, LoopDriver loop, SiteConfig site) {
        metrics.gauge(AgentMetric.SITE_DELIVERED, () -> delivered(loop.shown(), site.id()), "site", site.name());
        metrics.gauge(AgentMetric.SITE_GUARANTEE, () -> guarantee(loop.shown(), site.id()), "site", site.name());
        for (Tier tier : Tier.values()) {
            BiConsumer<AgentMetric, Function<LoopState, Number>> register = (metric, figure) -> metrics.gauge(
                    metric,
                    () -> figure.apply(loop.shown()),
                    "site",
                    site.name(),
                    "tier",
                    RoleText.tier(Role.serving(site.id(), tier)));
            register.accept(AgentMetric.TIER_UTILISATION, now -> of(trend(now, site.id(), tier), Gauges::utilisation));
            register.accept(
                    AgentMetric.TIER_NODES,
                    now -> of(
                            trend(now, site.id(), tier),
                            known -> known.members().size()));
            register.accept(AgentMetric.TIER_NODES_MIN, now -> of(bounds(now, site.id(), tier), TierBounds::min));
            register.accept(AgentMetric.TIER_NODES_MAX, now -> of(bounds(now, site.id(), tier), TierBounds::max));
        }
    }

    private static double delivered(LoopState now, SiteId site) {
        return of(now.history().site(site), SiteTrend::deliveredPerSecond).doubleValue();
    }

    private static double guarantee(LoopState now, SiteId site) {
        return of(now.config().site(site).orElse(null), SiteConfig::guaranteeRequestsPerSecond)
                .doubleValue();
    }

    private static @Nullable TierTrend trend(LoopState now, SiteId site, Tier tier) {
        return now.history().tier(site, tier);
    }

    private static @Nullable TierBounds bounds(LoopState now, SiteId site, Tier tier) {
        return now.config().site(site).map(its -> its.bounds(tier)).orElse(null);
    }

    private static double utilisation(TierTrend tier) {
        return tier.known() == 0 ? Double.NaN : tier.pressure();
    }

    /** Not a number of what is not known. */
    private static <T> Number of(@Nullable T known, Function<T, @Nullable Number> figure) {
        Number number = known == null ? null : figure.apply(known);
        return number == null ? Double.NaN : number;
    }

    private static long onTheirWay(ClusterView view) {
        return view.nodes().keySet().stream()
                .flatMap(node -> view.word(node).stream())
                .filter(word -> word.phase() != RoleWord.Phase.ACTIVE)
                .count();
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
