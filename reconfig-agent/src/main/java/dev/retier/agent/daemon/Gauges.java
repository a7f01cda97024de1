package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SharedState;
import dev.retier.state.Tier;

/** The gauges that read what the loops leave for others. */
final class Gauges {
    private static final double MILLIS_PER_SECOND = 1_000;

    private Gauges() {}

    /** What the gauges read. */
    record Parts(LiveConfig live, Watcher watcher, MoverDriver mover, Follower follower, ControlLoop loop) {}

    static void register(AgentMetrics metrics, AgentConfig config, Parts parts) {
        String version = String.valueOf(Gauges.class.getPackage().getImplementationVersion());
        metrics.gauge(
                AgentMetric.BUILD_INFO,
                () -> 1,
                "version",
                version,
                "node",
                config.node().name());
        metrics.gauge(AgentMetric.SAFE_TO_MOVE, () -> bit(isSafe(parts)));
        metrics.gauge(AgentMetric.LEASE_HELD, () -> bit(parts.mover.isHolding()));
        metrics.gauge(AgentMetric.CONFIG_GENERATION, parts.follower::stampOnDisk);
        metrics.gauge(AgentMetric.CONFIG_SUCCESSFUL, () -> bit(parts.follower.isTaken()));
        metrics.gauge(
                AgentMetric.LAST_ACTIVITY,
                () -> parts.loop.lastRoundMillis() / MILLIS_PER_SECOND,
                "activity",
                "control");
        for (NodeConfig node : config.cluster().nodes()) {
            registerNode(metrics, config, parts, node);
        }
    }

    /** All that the shared state counts. */
    static void registerState(AgentMetrics metrics, SharedState state) {
        state.metrics().keySet().forEach(metric -> metrics.state(metric, state));
    }

    private static void registerNode(AgentMetrics metrics, AgentConfig config, Parts parts, NodeConfig node) {
        metrics.gauge(AgentMetric.NODE_LOAD, () -> load(parts, node.id()), "node", node.name());
        metrics.gauge(AgentMetric.NODE_SERVING, () -> bit(isServing(parts, node.id())), "node", node.name());
        for (SiteConfig site : config.cluster().sites()) {
            for (Tier tier : Tier.values()) {
                Role role = Role.serving(site.id(), tier);
                metrics.gauge(
                        AgentMetric.NODE_INFO,
                        () -> bit(serves(parts, node.id(), role)),
                        "node",
                        node.name(),
                        "tier",
                        RoleText.tier(role),
                        "site",
                        site.name());
            }
        }
    }

    private static boolean isSafe(Parts parts) {
        return parts.watcher.view().unknownShare()
                <= parts.live.cluster().decision().maxUnknownShare();
    }

    private static double load(Parts parts, NodeId id) {
        return parts.watcher.view().nodes().get(id) instanceof NodeView.Known known
                ? known.load().utilisation()
                : Double.NaN;
    }

    private static boolean isServing(Parts parts, NodeId id) {
        NodeView node = parts.watcher.view().nodes().get(id);
        return node != null && node.isServing();
    }

    private static boolean serves(Parts parts, NodeId id, Role role) {
        return parts.watcher.view().word(id).map(word -> word.serves(role)).orElse(false);
    }

    private static int bit(boolean value) {
        return value ? 1 : 0;
    }
}
