package dev.retier.sim.run;

import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.config.VolumesConfig;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Cluster configurations that nobody wrote: made to order, or another with more or fewer nodes. Stateless. */
public final class MadeCluster {
    private static final Path NO_FILE = Path.of("none");
    private static final String STATUS_PATH = "/.retier/status";

    private MadeCluster() {}

    /**
     * When agents look and decide, and beside what.
     *
     * @param kind of the server of each node; one that can be proxy and app
     */
    public record Rules(Timing timing, DecisionRules decision, MoveRules move, ServerKind kind) {
        /** Everything as it is without a word in the file. */
        public static final Rules DEFAULTS = new Rules(Timing.DEFAULTS, DecisionRules.DEFAULTS, MoveRules.DEFAULTS);

        /** Refuses a kind that is of one tier alone. */
        public Rules {
            requireBothTiers(kind);
        }

        /** Beside web-nodes. */
        public Rules(Timing timing, DecisionRules decision, MoveRules move) {
            this(timing, decision, move, ServerKind.WEB_NODE);
        }

        /** The same beside another kind of server. */
        public Rules with(ServerKind other) {
            return new Rules(timing, decision, move, other);
        }
    }

    private static void requireBothTiers(ServerKind kind) {
        if (!kind.tiers().contains(Tier.APP)) {
            throw new IllegalArgumentException("kind " + kind.word() + ": it cannot be an app node");
        }
        if (!kind.tiers().contains(Tier.PROXY)) {
            throw new IllegalArgumentException("kind " + kind.word() + ": it cannot be a proxy node");
        }
    }

    /** A cluster in mode act, one witness, with these roles at first. */
    public static ClusterConfig of(List<SiteConfig> sites, List<Role> roles, Rules rules) {
        List<NodeConfig> nodes = IntStream.range(0, roles.size())
                .mapToObj(index -> node(index + 1, roles.get(index)))
                .toList();
        ClusterConfig ofWebNodes = new ClusterConfig(
                "simulated",
                Mode.ACT,
                Transport.IWARP,
                new SecretSource.InFile(NO_FILE),
                NO_FILE,
                rules.timing(),
                rules.decision(),
                rules.move(),
                sites,
                nodes,
                List.of(new NodeId(1)),
                List.of(),
                true,
                VolumesConfig.NONE,
                AdminConfig.NONE,
                Optional.empty());
        return rules.kind() == ServerKind.WEB_NODE ? ofWebNodes : ofKind(ofWebNodes, rules.kind());
    }

    /**
     * The same cluster with a server of that kind on each node; deadlines of a move that are shorter than such a server
     * may take become as long.
     *
     * @throws IllegalArgumentException when such a server cannot be proxy and app
     */
    public static ClusterConfig ofKind(ClusterConfig config, ServerKind kind) {
        requireBothTiers(kind);
        return ofKinds(config, _ -> kind);
    }

    /** The same with servers of several kinds, by place of the node in the file. */
    public static ClusterConfig ofKinds(ClusterConfig config, IntFunction<ServerKind> kinds) {
        List<NodeConfig> nodes = IntStream.range(0, config.nodes().size())
                .mapToObj(place -> {
                    NodeConfig node = config.nodes().get(place);
                    ServerKind kind = kinds.apply(place);
                    return node.server().kind() == kind ? node : with(node, server(node.server(), kind));
                })
                .toList();
        return with(config, nodes, config.witnesses(), longEnough(config.move(), nodes));
    }

    private static ServerConfig server(ServerConfig server, ServerKind kind) {
        ServerControl control = kind.isReloaded()
                ? new ServerControl(
                        NO_FILE,
                        new MainProcess.InFile(NO_FILE),
                        STATUS_PATH,
                        null,
                        null,
                        ServerControl.Commands.usual(kind, kind.word()),
                        ServerControl.Limits.DEFAULTS,
                        List.of())
                : null;
        return new ServerConfig(
                kind, server.address(), server.admin(), server.roleFile(), server.provePath(), control, kind.tiers());
    }

    private static MoveRules longEnough(MoveRules rules, List<NodeConfig> nodes) {
        return new MoveRules(
                longest(rules.upstreamDeadline(), nodes, ServerConfig::longestChange),
                rules.drainDeadline(),
                rules.quietTime(),
                longest(rules.switchDeadline(), nodes, ServerConfig::longestSwitch),
                rules.proveDeadline(),
                rules.slowStart());
    }

    private static Duration longest(Duration least, List<NodeConfig> nodes, Function<ServerConfig, Duration> step) {
        return nodes.stream().map(node -> step.apply(node.server())).reduce(least, MadeCluster::longer);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static NodeConfig with(NodeConfig node, ServerConfig server) {
        return new NodeConfig(node.id(), node.name(), node.rdma(), server, null, node.agentAdmin(), node.initialRole());
    }

    private static NodeConfig node(int number, Role role) {
        // Nothing listens there: addresses are only names here.
        HostPort place = new HostPort("127.0.0.1", number);
        return new NodeConfig(
                new NodeId(number),
                "node-" + number,
                place,
                ServerConfig.webNode(place, place, NO_FILE),
                null,
                place,
                role);
    }

    /** The same cluster with these roles at first, one per node. */
    public static ClusterConfig with(ClusterConfig config, List<Role> roles) {
        List<NodeConfig> nodes = new ArrayList<>();
        for (int index = 0; index < roles.size(); index++) {
            NodeConfig node = config.nodes().get(index);
            nodes.add(new NodeConfig(
                    node.id(),
                    node.name(),
                    node.rdma(),
                    node.server(),
                    node.appServer(),
                    node.agentAdmin(),
                    roles.get(index)));
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
                .flatMap(site ->
                        List.of(Role.serving(site.id(), Tier.PROXY), Role.serving(site.id(), Tier.APP)).stream())
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
                    new NodeId(number),
                    "node-" + number,
                    last.rdma(),
                    last.server(),
                    last.appServer(),
                    last.agentAdmin(),
                    Role.SPARE));
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
        return with(config, nodes, witnesses, config.move());
    }

    private static ClusterConfig with(
            ClusterConfig config, List<NodeConfig> nodes, List<NodeId> witnesses, MoveRules move) {
        return new ClusterConfig(
                config.name(),
                config.mode(),
                config.transport(),
                config.secret(),
                config.journalDirectory(),
                config.timing(),
                config.decision(),
                move,
                config.sites(),
                nodes,
                witnesses,
                config.edges(),
                config.formerHandshake(),
                config.volumes(),
                config.admin(),
                config.rdmaTls());
    }
}
