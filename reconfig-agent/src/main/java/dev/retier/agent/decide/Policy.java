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
import dev.retier.state.Tier;
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
 * @param publishInterval no node tells of itself sooner: looks that follow each other sooner show the same figures
 * @param settling how long after a change of its members a tier's load says nothing, see {@link Timing#settling}
 * @param sites in order of priority, the highest first
 * @param machines what is known of each node beforehand
 * @param longestMove the longest that a move and its rollback may take together
 * @param movable the only nodes that may be moved; empty when any may
 */
public record Policy(
        Mode mode,
        DecisionRules rules,
        Duration publishInterval,
        Duration settling,
        List<SiteConfig> sites,
        Map<NodeId, Machine> machines,
        Duration longestMove,
        Optional<Set<NodeId>> movable) {
    /** Keeps its own copies. */
    public Policy {
        sites = List.copyOf(sites);
        machines = Map.copyOf(machines);
        movable = movable.map(Set::copyOf);
    }

    /**
     * A node.
     *
     * @param name for people
     * @param kind what server is beside it: moves of one kind cost alike
     * @param tiers in which it may serve, by this server or another
     */
    public record Machine(String name, ServerKind kind, Set<Tier> tiers) {
        /** Keeps its own copy of the set. */
        public Machine {
            tiers = Set.copyOf(tiers);
        }

        /** With that server alone, in all that its kind can. */
        public Machine(String name, ServerKind kind) {
            this(name, kind, kind.tiers());
        }

        boolean canServe(Role role) {
            return !(role instanceof Role.Serving serving) || tiers.contains(serving.tier());
        }
    }

    /** The part of a cluster's configuration that decisions obey. */
    public static Policy of(ClusterConfig config) {
        Map<NodeId, Machine> machines = config.nodes().stream()
                .collect(Collectors.toMap(
                        NodeConfig::id,
                        node -> new Machine(node.name(), node.server().kind(), node.tiers())));
        return new Policy(
                config.mode(),
                config.decision(),
                config.timing().publishInterval(),
                config.timing().settling(),
                config.sites(),
                machines,
                config.longestMove(),
                Optional.empty());
    }

    /** The same in another mode. */
    public Policy inMode(Mode other) {
        return new Policy(other, rules, publishInterval, settling, sites, machines, longestMove, movable);
    }

    /** The same, but no node may be moved other than these. */
    public Policy movingOnly(Set<NodeId> nodes) {
        return new Policy(mode, rules, publishInterval, settling, sites, machines, longestMove, Optional.of(nodes));
    }

    /** A node that may be moved, and whose servers can do the work. */
    boolean mayMove(NodeId node, Role to) {
        return movable.map(nodes -> nodes.contains(node)).orElse(true) && canServe(node, to);
    }

    /** Whether the node's servers can do the work. */
    boolean canServe(NodeId node, Role role) {
        return Optional.ofNullable(machines.get(node))
                .map(machine -> machine.canServe(role))
                .orElse(true);
    }

    /** What server is beside {@code node}; empty when nobody has said so. */
    Optional<ServerKind> kind(NodeId node) {
        return Optional.ofNullable(machines.get(node)).map(Machine::kind);
    }

    /** What people call {@code node}. */
    String name(NodeId node) {
        return Optional.ofNullable(machines.get(node)).map(Machine::name).orElseGet(node::toString);
    }

    /** The site of that id, if decisions know it. */
    Optional<SiteConfig> site(SiteId id) {
        for (SiteConfig site : sites) { // asked for with each change that is valued
            if (site.id().equals(id)) {
                return Optional.of(site);
            }
        }
        return Optional.empty();
    }
}
