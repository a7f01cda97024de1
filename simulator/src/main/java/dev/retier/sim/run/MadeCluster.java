package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.RdmaTransport;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.Timing;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Cluster configurations that nobody wrote: made to order, or another with more or fewer nodes. Stateless. */
public final class MadeCluster {
    private static final Path NO_FILE = Path.of("none");

    private MadeCluster() {}

    /** When agents look and decide. */
    public record Rules(Timing timing, DecisionRules decision, MoveRules move) {
        /** Everything as it is without a word in the file. */
        public static final Rules DEFAULTS = new Rules(Timing.DEFAULTS, DecisionRules.DEFAULTS, MoveRules.DEFAULTS);
    }

    /** A cluster of web-nodes in mode act, one witness, with these roles at first. */
    public static ClusterConfig of(List<SiteConfig> sites, List<Role> roles, Rules rules) {
        List<NodeConfig> nodes = IntStream.range(0, roles.size())
                .mapToObj(index -> node(index + 1, roles.get(index)))
                .toList();
        return new ClusterConfig(
                "simulated",
                Mode.ACT,
                RdmaTransport.IWARP,
                new SecretSource.InFile(NO_FILE),
                NO_FILE,
                rules.timing(),
                rules.decision(),
                rules.move(),
                sites,
                nodes,
                List.of(new NodeId(1)),
                List.of(),
                true);
    }

    private static NodeConfig node(int number, Role role) {
        // Nothing listens there: addresses are only names here.
        HostPort place = new HostPort("127.0.0.1", number);
        return new NodeConfig(
                new NodeId(number), "node-" + number, place, ServerConfig.webNode(place, place, NO_FILE), place, role);
    }

    /** The same cluster with these roles at first, one per node. */
    public static ClusterConfig with(ClusterConfig config, List<Role> roles) {
        List<NodeConfig> nodes = new ArrayList<>();
        for (int index = 0; index < roles.size(); index++) {
            NodeConfig node = config.nodes().get(index);
            nodes.add(new NodeConfig(
                    node.id(), node.name(), node.rdma(), node.server(), node.agentAdmin(), roles.get(index)));
        }
        return with(config, nodes, config.witnesses());
    }

    /**
     * The same cluster with {@code count} nodes: the last ones go, or copies of the last one come; each tier keeps
     * about its share of the roles at first, and at least one node.
     *
     * @throws IllegalArgumentException when there are fewer nodes than tiers
     */
    public static ClusterConfig resized(ClusterConfig config, int count) {
        List<Role> tiers = config.sites().stream()
                .flatMap(site -> List.of(
                        Role.serving(site.id(), dev.retier.state.Tier.PROXY),
                        Role.serving(site.id(), dev.retier.state.Tier.APP))
                        .stream())
                .toList();
        if (count < tiers.size()) {
            throw new IllegalArgumentException(count + " nodes for " + tiers.size() + " tiers; each needs one");
        }
        List<NodeConfig> nodes = new ArrayList<>(
                config.nodes().subList(0, Math.min(count, config.nodes().size())));
        while (nodes.size() < count) {
            NodeConfig last = nodes.getLast();
            int number = last.id().value() + 1;
            nodes.add(new NodeConfig(
                    new NodeId(number), "node-" + number, last.rdma(), last.server(), last.agentAdmin(), Role.SPARE));
        }
        List<NodeId> witnesses = config.witnesses().stream()
                .filter(id -> nodes.stream().anyMatch(node -> node.id().equals(id)))
                .toList();
        boolean isWhole = witnesses.size() == config.witnesses().size();
        ClusterConfig grown = with(
                config, nodes, isWhole ? witnesses : List.of(nodes.getFirst().id()));
        return with(grown, shares(config, tiers, count));
    }

    /** As many of each role as its share of the nodes comes to; who is most below its share is next. */
    private static List<Role> shares(ClusterConfig config, List<Role> tiers, int count) {
        int[] given = new int[tiers.size()];
        double[] weights = tiers.stream()
                .mapToDouble(role -> Math.max(
                        1,
                        config.nodes().stream()
                                .filter(node -> node.initialRole().equals(role))
                                .count()))
                .toArray();
        for (int node = 0; node < count; node++) {
            int next = 0;
            for (int tier = 1; tier < given.length; tier++) {
                boolean isPoorer = given[tier] / weights[tier] < given[next] / weights[next];
                boolean isFirst = given[tier] == 0 && given[next] > 0;
                next = isFirst || (isPoorer && !(given[next] == 0 && given[tier] > 0)) ? tier : next;
            }
            given[next]++;
        }
        List<Role> roles = new ArrayList<>();
        for (int tier = 0; tier < given.length; tier++) {
            for (int node = 0; node < given[tier]; node++) {
                roles.add(tiers.get(tier));
            }
        }
        return roles;
    }

    private static ClusterConfig with(ClusterConfig config, List<NodeConfig> nodes, List<NodeId> witnesses) {
        return new ClusterConfig(
                config.name(),
                config.mode(),
                config.transport(),
                config.secret(),
                config.journalDirectory(),
                config.timing(),
                config.decision(),
                config.move(),
                config.sites(),
                nodes,
                witnesses,
                config.edges(),
                config.formerHandshake());
    }
}
