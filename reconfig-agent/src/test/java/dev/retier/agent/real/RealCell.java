package dev.retier.agent.real;

import static org.awaitility.Awaitility.await;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.config.VolumesConfig;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.InMemoryCell;
import dev.retier.agent.fixture.Timings;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Agents beside real servers, and an edge before them. The agents decide nothing by themselves: the test orders each
 * move, in the way in which the node that orders one does. Closes all of them.
 */
final class RealCell implements AutoCloseable {
    /**
     * Of a server beside others that work hard, be it to take its role or to leave another out; by itself none needs
     * more than {@code ServerConfig.longestSwitch}.
     */
    static final Duration LONGEST_SWITCH = Duration.ofSeconds(40);

    private final InMemoryCell cell = new InMemoryCell();
    private final List<RealInstance> servers;
    private final Map<Integer, RealInstance> appServers;
    private final RealInstance edgeServer;
    private final Map<Integer, Agent> agents = new LinkedHashMap<>();
    private final Map<Integer, SharedState> states = new LinkedHashMap<>();
    private final List<MoveEvent> moves = new CopyOnWriteArrayList<>();
    private final ClusterConfig config;
    private final Path folder;
    private @Nullable Edge edge;
    private volatile @Nullable MovePhase fatalPhase;
    private volatile Runnable fault = () -> {};

    private RealCell(
            Path folder,
            List<RealInstance> servers,
            Map<Integer, RealInstance> appServers,
            RealInstance edgeServer,
            Shape shape) {
        this.folder = folder;
        this.servers = servers;
        this.appServers = appServers;
        this.edgeServer = edgeServer;
        List<NodeConfig> nodes = new ArrayList<>();
        for (RealInstance server : servers) {
            int id = nodes.size() + 1;
            nodes.add(new NodeConfig(
                    new NodeId(id),
                    "node-" + id,
                    new HostPort("127.0.0.1", 9_000 + id),
                    server.server(),
                    Optional.ofNullable(appServers.get(id))
                            .map(RealInstance::server)
                            .orElse(null),
                    new HostPort("127.0.0.1", 0),
                    id <= shape.proxies ? Clusters.PROXY : Clusters.APP));
        }
        this.config = quick(Clusters.config(nodes), shape.longestSwitch);
    }

    /** How many of the nodes are proxies at first, and how long one may take to come into another role. */
    record Shape(int proxies, Duration longestSwitch) {}

    private ClusterConfig quick(ClusterConfig base, Duration longestSwitch) {
        ServerConfig before = edgeServer.server();
        EdgeConfig front = new EdgeConfig("front", Clusters.SHOP, EdgeKind.HAPROXY, before.roleFile(), before);
        MoveRules usual = MoveRules.DEFAULTS;
        return new ClusterConfig(
                base.name(),
                Mode.OBSERVE,
                base.transport(),
                base.secret(),
                folder.resolve("journal"),
                Timings.of(Duration.ofMillis(50), Duration.ofMillis(50), Timing.DEFAULTS.deadAfter()),
                DecisionRules.DEFAULTS,
                new MoveRules(
                        LONGEST_SWITCH,
                        Duration.ofSeconds(10),
                        usual.quietTime(),
                        longestSwitch,
                        Duration.ofSeconds(10),
                        usual.slowStart()),
                base.sites(),
                base.nodes(),
                base.witnesses(),
                List.of(front),
                true,
                VolumesConfig.NONE,
                AdminConfig.NONE,
                Optional.empty());
    }

    /** A running cell: the first {@code proxies} of these servers are proxies, the others apps. */
    static RealCell start(Path folder, List<RealInstance> servers, RealInstance edgeServer, int proxies) {
        return start(folder, servers, Map.of(), edgeServer, proxies);
    }

    /** The same; some nodes, by their ids, have a server of their own for the app tier. */
    static RealCell start(
            Path folder,
            List<RealInstance> servers,
            Map<Integer, RealInstance> appServers,
            RealInstance edgeServer,
            int proxies) {
        return start(folder, servers, appServers, edgeServer, new Shape(proxies, LONGEST_SWITCH));
    }

    /** The same, of that shape. */
    static RealCell start(
            Path folder,
            List<RealInstance> servers,
            Map<Integer, RealInstance> appServers,
            RealInstance edgeServer,
            Shape shape) {
        RealCell started = new RealCell(folder, servers, appServers, edgeServer, shape);
        try {
            started.startAll();
            return started;
        } catch (RuntimeException | Error e) {
            started.close();
            throw e;
        }
    }

    private void startAll() {
        for (NodeConfig node : config.nodes()) {
            AgentConfig own = new AgentConfig(config, node.id());
            Agent.writeFirstRoleFile(own);
            servers.get(node.id().value() - 1).start();
            Optional.ofNullable(appServers.get(node.id().value())).ifPresent(RealInstance::start);
            states.put(node.id().value(), cell.join(node.id(), Agent.initialWord(own)));
        }
        for (NodeConfig node : config.nodes()) {
            startAgent(node.id().value());
        }
        EdgeConfig front = config.edgeNamed("front").orElseThrow();
        Edge.writeFirstFile(config, front);
        edgeServer.start();
        edge = Edge.start(
                config,
                front,
                new Edge.Agents(
                        agents.values().stream().map(Agent::adminAddress).toList(), Credentials.NONE));
        await().atMost(RealNodes.PATIENCE)
                .until(() -> agents.values().stream()
                        .allMatch(agent ->
                                agent.isReady() && agent.targets("shop").isPresent()));
        awaitSettled();
    }

    private void startAgent(int id) {
        AgentListener listener = new AgentListener() {
            @Override
            public void movePhase(MoveEvent event) {
                moves.add(event);
                if (event.phase() == fatalPhase) {
                    fatalPhase = null;
                    fault.run();
                }
            }
        };
        agents.put(id, Agent.start(new AgentConfig(config, new NodeId(id)), state(id), listener));
    }

    private SharedState state(int id) {
        return Objects.requireNonNull(states.get(id));
    }

    /** The agent of node {@code id} goes, its server stays, and an agent comes again. */
    void restartAgent(int id) {
        Objects.requireNonNull(agents.get(id)).close();
        startAgent(id);
    }

    /** The agent of node {@code id}. */
    Agent agent(int id) {
        return Objects.requireNonNull(agents.get(id));
    }

    /** The server of node {@code id}. */
    RealInstance server(int id) {
        return servers.get(id - 1);
    }

    /** Runs {@code action} when the next move reaches {@code phase}. */
    void at(MovePhase phase, Runnable action) {
        fault = action;
        fatalPhase = phase;
    }

    /** The true role word of node {@code id}. */
    RoleWord word(int id) {
        return cell.word(new NodeId(id));
    }

    /** All servers, of the nodes and before them. */
    List<RealInstance> allServers() {
        List<RealInstance> all = new ArrayList<>(servers);
        all.add(edgeServer);
        return all;
    }

    /** Orders a move, and waits for its end. */
    MoveEvent move(int id, Role to) {
        long epoch = 1
                + config.nodes().stream()
                        .mapToLong(node -> cell.word(node.id()).epoch())
                        .max()
                        .orElseThrow();
        RoleWord word = cell.word(new NodeId(id));
        CasOutcome outcome = state(1).compareAndSetRole(new NodeId(id), word, word.ordered(epoch, 1, to));
        if (!(outcome instanceof CasOutcome.Won)) {
            throw new IllegalStateException("not ordered: " + outcome);
        }
        state(1).announce(Set.of(new NodeId(id)));
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> moves.stream().anyMatch(move -> isEnd(move, epoch)));
        return moves.stream().filter(move -> isEnd(move, epoch)).findFirst().orElseThrow();
    }

    private static boolean isEnd(MoveEvent move, long epoch) {
        return move.epoch() == epoch && move.phase().isFinal();
    }

    /** Time of each phase of a move since the phase before it, in milliseconds. */
    Map<MovePhase, Long> millis(long epoch) {
        Map<MovePhase, Long> phases = new LinkedHashMap<>();
        long before = 0;
        for (MoveEvent move : moves) {
            if (move.epoch() == epoch) {
                phases.put(move.phase(), before == 0 ? 0 : (move.atNanos() - before) / 1_000_000);
                before = move.atNanos();
            }
        }
        return phases;
    }

    /** Where the edge serves. */
    HostPort edgeAddress() {
        return edgeServer.server().address();
    }

    /** The targets that the agent of node 1 serves. */
    List<HostPort> targets() {
        return agent(1).targets("shop").map(TargetList::targets).orElseThrow();
    }

    /** Waits until every agent's server runs the newest file, and the edge has the newest targets. */
    void awaitSettled() {
        await().atMost(RealNodes.PATIENCE)
                .until(() -> agents.values().stream().allMatch(Agent::isReady)
                        && Objects.requireNonNull(edge)
                                .targets()
                                .filter(list -> list.targets().equals(targets()))
                                .isPresent());
    }

    @Override
    public void close() {
        if (edge != null) {
            edge.close();
        }
        agents.values().forEach(Agent::close);
        edgeServer.close();
        servers.forEach(RealInstance::close);
        appServers.values().forEach(RealInstance::close);
    }
}
