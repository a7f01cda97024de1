package dev.retier.bench.agent;

import dev.retier.agent.Agent;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.server.HttpFetch;
import dev.retier.bench.Launched;
import dev.retier.bench.ProcessFigures;
import dev.retier.link.ReservedPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A cluster on this machine: agents as processes of their own, started by {@code ./retier agent} as an operator starts
 * them, and their servers. Closes all of them. Not thread-safe.
 */
public final class AgentCell implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MOVE_PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_EVERY_NANOS = 100_000_000;
    private static final long END_SECONDS = 20;
    private static final int SECRET_BYTES = 32;
    private static final int OK = 200;

    private final ClusterConfig cluster;
    private final Path file;
    private final List<Launch> launches;
    private final NodeServers servers;
    private final List<Process> agents = new CopyOnWriteArrayList<>();
    private @Nullable Neighbours others;
    /** Kept connections: an agent without descriptors still answers on them. */
    private final Map<Integer, HttpFetch> fetches = new HashMap<>();

    private final ReservedPorts ports;
    /** Ends the agents when this process is ended. */
    private final Thread atExit = new Thread(this::endProcesses, "end of agents");

    /**
     * How an agent is started.
     *
     * @param launcher the script {@code retier}, of this checkout or of another one
     * @param environment variables that it has besides ours
     */
    public record Launch(Path launcher, Map<String, String> environment) {
        /** Copies the map. */
        public Launch {
            environment = Map.copyOf(environment);
        }

        /** By this checkout, with nothing more. */
        public static Launch usual() {
            return new Launch(Launched.launcher(), Map.of());
        }
    }

    private AgentCell(
            ClusterConfig cluster, Path file, List<Launch> launches, ReservedPorts ports, NodeServers servers) {
        this.servers = servers;
        this.ports = ports;
        this.cluster = cluster;
        this.file = file;
        this.launches = new ArrayList<>(launches);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts it and waits until every agent is ready.
     *
     * @param folder an empty one
     * @throws IOException when a file cannot be written or an agent does not become ready
     */
    static AgentCell start(Path folder, int nodes, int proxies, NodeServers.Kind kind) throws IOException {
        List<Launch> launches = Collections.nCopies(nodes, Launch.usual());
        return ready(launch(folder, new Size(nodes, proxies), launches, "", NodeServers.of(kind)));
    }

    /**
     * The same beside web-nodes, but the first node alone has an agent and a server; the others are
     * {@link Neighbours}, so that there can be many.
     *
     * @param folder an empty one
     * @throws IOException when a file cannot be written or an agent does not become ready
     */
    static AgentCell startFirst(Path folder, int nodes, int proxies) throws IOException {
        return ready(launch(folder, new Size(nodes, proxies), List.of(Launch.usual()), "", new WebNodes()));
    }

    private record Size(int nodes, int proxies) {}

    /**
     * Starts one agent by each of {@code launches} and waits until every one is ready.
     *
     * @param folder an empty one
     * @param more lines of the cluster file at its top level, each with its line break
     * @throws IOException when a file cannot be written or an agent does not become ready
     */
    public static AgentCell start(Path folder, List<Launch> launches, int proxies, String more) throws IOException {
        return ready(launch(folder, launches, proxies, more));
    }

    private static AgentCell ready(AgentCell cell) throws IOException {
        try {
            cell.awaitReady();
            return cell;
        } catch (IOException | RuntimeException e) {
            cell.close();
            throw e;
        }
    }

    /**
     * Starts one agent by each of {@code launches} and waits for nothing.
     *
     * @param folder an empty one
     * @param more lines of the cluster file at its top level, each with its line break
     * @throws IOException when a file cannot be written or a process not be started
     */
    public static AgentCell launch(Path folder, List<Launch> launches, int proxies, String more) throws IOException {
        return launch(folder, new Size(launches.size(), proxies), launches, more, new WebNodes());
    }

    private static AgentCell launch(Path folder, Size size, List<Launch> launches, String more, NodeServers servers)
            throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Path kept = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(kept, HexFormat.of().formatHex(secret));
        ReservedPorts ports = new ReservedPorts(size.nodes * ClusterText.PORTS_PER_NODE);
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"), ClusterText.of(folder, size.proxies, ports.numbers(), more, servers));
        AgentCell cell = new AgentCell(ConfigFile.read(file), file, launches, ports, servers);
        try {
            for (NodeConfig node : cell.withAgents()) {
                cell.startServer(node);
                cell.agents.add(cell.startAgent(node));
            }
            if (size.nodes > launches.size()) {
                cell.others = Neighbours.start(cell.cluster, launches.size());
            }
            return cell;
        } catch (IOException | RuntimeException e) {
            cell.close();
            throw e;
        }
    }

    private List<NodeConfig> withAgents() {
        return cluster.nodes().subList(0, launches.size());
    }

    private void startServer(NodeConfig node) throws IOException {
        servers.makeFolder(node.id().value());
        Agent.writeFirstRoleFile(new AgentConfig(cluster, node.id()));
        servers.start(node);
    }

    private Process startAgent(NodeConfig node) throws IOException {
        Launch launch = launches.get(node.id().value() - 1);
        ProcessBuilder builder = new ProcessBuilder(
                        launch.launcher().toString(), "agent", "--config", file.toString(), "--node", node.name())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(log(node.id().value()).toFile()));
        builder.environment().putAll(launch.environment());
        return builder.start();
    }

    /** Where the agent of node {@code id} writes its log. */
    public Path log(int id) {
        return file.resolveSibling(ClusterText.name(id) + ".log");
    }

    /** The process of node {@code id}'s agent. */
    public long pid(int id) {
        return agents.get(id - 1).pid();
    }

    /** Where node {@code id} takes connections of other nodes. */
    public InetSocketAddress rdma(int id) {
        var address = cluster.nodes().get(id - 1).rdma();
        return new InetSocketAddress(address.host(), address.port());
    }

    /**
     * Ends the agent of node {@code id} as a service manager does, and starts another one in its place.
     *
     * @throws IOException when that fails
     */
    public void restart(int id) throws IOException {
        replace(id, launches.get(id - 1));
    }

    /**
     * Ends the agent of node {@code id} as a service manager does, and starts one by {@code launch} in its place.
     *
     * @throws IOException when that fails
     */
    public void replace(int id, Launch launch) throws IOException {
        end(agents.get(id - 1));
        launches.set(id - 1, launch);
        agents.set(id - 1, startAgent(cluster.nodes().get(id - 1)));
    }

    /** Ends the agent of node {@code id}. */
    public void stop(int id) {
        end(agents.get(id - 1));
    }

    /** What the cell is configured with. */
    public ClusterConfig cluster() {
        return cluster;
    }

    /** The share of nodes that the agent of node {@code id} does not know; 1 when it does not say. */
    public double unknownShare(int id) {
        return toldUnknownShare(id).orElse(1); // no answer is no knowledge either
    }

    /** The share of nodes that the agent of node {@code id} does not know; empty when it does not say. */
    public OptionalDouble toldUnknownShare(int id) {
        try {
            JsonNode share = JsonMapper.shared().readTree(ask(id, "/v1/status")).path("unknown_share_ratio");
            return share.isNumber() ? OptionalDouble.of(share.asDouble()) : OptionalDouble.empty();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    /**
     * What the agent of node {@code id} answers to {@code path}.
     *
     * @throws IOException when it does not answer, or not with 200
     */
    public String ask(int id, String path) throws IOException {
        HttpFetch.Answer answer = fetches.computeIfAbsent(
                        id, of -> new HttpFetch(cluster.nodes().get(of - 1).agentAdmin()))
                .get(path, ASK_TIMEOUT);
        if (answer.status() != OK) {
            throw new IOException(path + ": status " + answer.status());
        }
        return answer.body();
    }

    /**
     * Waits until every agent is ready.
     *
     * @throws IOException when one does not become ready
     */
    public void awaitReady() throws IOException {
        long deadlineNanos = System.nanoTime() + START_DEADLINE.toNanos();
        for (NodeConfig node : withAgents()) {
            while (!isReady(node)) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IOException("the agent of " + node.name() + " did not become ready within "
                            + START_DEADLINE.toSeconds() + " s; see its log beside " + cluster.journalDirectory());
                }
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
    }

    private static boolean isReady(NodeConfig node) {
        try (HttpFetch fetch = new HttpFetch(node.agentAdmin())) {
            return fetch.get("/readyz", ASK_TIMEOUT).status() == OK;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /** What the kernel says of each agent that is a process now, in the order of the nodes. */
    public List<ProcessFigures> figures() throws IOException {
        List<ProcessFigures> figures = new ArrayList<>();
        for (Process agent : agents) {
            figures.add(ProcessFigures.of(agent.pid()));
        }
        return figures;
    }

    /** Where the agent of node {@code id} tells the targets. */
    public URI agent(int id) {
        return URI.create("http://" + cluster.nodes().get(id - 1).agentAdmin());
    }

    /**
     * Has node {@code id} moved, as an operator does at the agent of node 1.
     *
     * @throws IOException when that is refused or the move does not end well
     */
    public void move(int id, String to) throws IOException {
        move(1, id, to);
    }

    /**
     * Has node {@code id} moved, as an operator does at the agent of node {@code by}.
     *
     * @throws IOException when that is refused or the move does not end well
     */
    public void move(int by, int id, String to) throws IOException {
        Answer answer = ControlClient.ask(
                new AgentConfig(cluster, cluster.nodes().get(by - 1).id()).controlSocket(),
                new Command.Move(ClusterText.name(id), to, new Manner(false, true)),
                MOVE_PATIENCE);
        if (answer.outcome() != Answer.Outcome.DONE) {
            throw new IOException("a move of " + ClusterText.name(id) + " to " + to + " failed: " + answer.print());
        }
    }

    @Override
    public void close() {
        fetches.values().forEach(HttpFetch::close);
        agents.forEach(Process::destroy);
        agents.forEach(AgentCell::end);
        if (others != null) {
            others.close();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
        servers.close();
        ports.close();
    }

    private void endProcesses() {
        agents.forEach(Process::destroy);
        servers.endProcesses();
    }

    private static void end(Process agent) {
        agent.destroy();
        try {
            if (!agent.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                agent.destroyForcibly();
            }
        } catch (InterruptedException e) {
            agent.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
