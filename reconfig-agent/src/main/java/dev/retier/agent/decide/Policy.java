package dev.retier.agent.decide;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.Timing;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the decision obeys.
 *
 * @param mode how far the agents may go
 * @param rules times, thresholds and budgets
 * @param settling how long after a change of its members a tier's load says nothing, see {@link Timing#settling}
 * @param sites in order of priority, the highest first
 * @param kinds what server is beside each node: moves of one kind cost alike
 * @param longestMove the longest that a move and its rollback may take together
 * @param movable the only nodes that may be moved; empty when any may
 */
public record Policy(
        Mode mode,
        DecisionRules rules,
        Duration settling,
        List<SiteConfig> sites,
        Map<NodeId, ServerKind> kinds,
        Duration longestMove,
        Optional<Set<NodeId>> movable) {
    /** Keeps its own copies. */
    public Policy {
        sites = List.copyOf(sites);
        kinds = Map.copyOf(kinds);
        movable = movable.map(Set::copyOf);
    }

    /** The part of a cluster's configuration that decisions obey. */
    public static Policy of(ClusterConfig config) {
        Map<NodeId, ServerKind> kinds = config.nodes().stream()
                .collect(Collectors.toMap(NodeConfig::id, node -> node.server().kind()));
        return new Policy(
                config.mode(),
                config.decision(),
                config.timing().settling(),
                config.sites(),
                kinds,
                config.longestMove(),
                Optional.empty());
    }

    /** The same in another mode. */
    public Policy inMode(Mode other) {
        return new Policy(other, rules, settling, sites, kinds, longestMove, movable);
    }

    /** The same, but no node may be moved other than these. */
    public Policy movingOnly(Set<NodeId> nodes) {
        return new Policy(mode, rules, settling, sites, kinds, longestMove, Optional.of(nodes));
    }

    /** A node that may be moved, and whose kind of server can do the work. */
    boolean mayMove(NodeId node, Role to) {
        return movable.map(nodes -> nodes.contains(node)).orElse(true) && canServe(node, to);
    }

    /** Whether the node's kind of server can do the work. */
    boolean canServe(NodeId node, Role role) {
        ServerKind kind = kinds.get(node);
        return kind == null || kind.canServe(role);
    }

    /** The site of that id, if decisions know it. */
    Optional<SiteConfig> site(SiteId id) {
        return sites.stream().filter(site -> site.id().equals(id)).findFirst();
    }
}
