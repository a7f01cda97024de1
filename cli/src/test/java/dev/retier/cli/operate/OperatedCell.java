package dev.retier.cli.operate;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.node.RunningAgent;
import dev.retier.link.ReservedPorts;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A site of four servers in this process, two of each tier, web-nodes unless a test wants others; their file, and
 * agents as a test wants them.
 */
public final class OperatedCell implements AutoCloseable {
    private static final int NODES = 4;
    private static final int PORTS = 4;

    private final Path file;
    private final String text;
    private final ReservedPorts ports;
    private final Kind kind;
    private final Map<String, AutoCloseable> servers = new TreeMap<>();
    private final Map<String, RunningAgent> agents = new TreeMap<>();

    /** Starts the server of a node, whose first role file is there; closed again it is gone. */
    public interface Kind {
        /** By its addresses and its role file. */
        AutoCloseable start(NodeConfig node);
    }

    private OperatedCell(Kind kind, Path file, String text, ReservedPorts ports) {
        this.kind = kind;
        this.file = file;
        this.text = text;
        this.ports = ports;
    }

    /**
     * The servers of a cell, with no agent yet.
     *
     * @param folder an empty one
     * @param settings lines of the cluster file besides nodes and sites
     */
    public static OperatedCell serve(Path folder, String settings) throws IOException {
        return serve(folder, settings, OperatedCell::webNode);
    }

    private static AutoCloseable webNode(NodeConfig node) {
        return WebNode.start(WebNodeSettings.of(
                node.name(),
                node.server().address(),
                node.server().admin(),
                node.server().roleFile(),
                1_000));
    }

    /** The same with servers of that kind. */
    public static OperatedCell serve(Path folder, String settings, Kind kind) throws IOException {
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "an-operators-secret-of-32-letters");
        StringBuilder text = new StringBuilder("name: operated\nsecret-file: " + secret + "\njournal-directory: "
                + folder.resolve("journal") + "\n" + settings
                + "sites:\n  - {id: 1, name: shop, proxy: {min: 1, max: 3}, app: {min: 1, max: 3}}\n"
                + "witnesses: [node-1]\nnodes:\n");
        ReservedPorts ports = new ReservedPorts(NODES * PORTS);
        for (int id = 1; id <= NODES; id++) {
            int at = (id - 1) * PORTS;
            text.append("  - {id: %d, name: node-%d, role: shop/%s, rdma: \"127.0.0.1:%d\", agent: \"127.0.0.1:%d\","
                            .formatted(
                                    id,
                                    id,
                                    id <= NODES / 2 ? "proxy" : "app",
                                    ports.address(at).getPort(),
                                    ports.address(at + 1).getPort()))
                    .append(" server: {address: \"127.0.0.1:%d\", admin: \"127.0.0.1:%d\", role-file: \"%s\"}}%n"
                            .formatted(
                                    ports.address(at + 2).getPort(),
                                    ports.address(at + 3).getPort(),
                                    folder.resolve("role-" + id + ".json")));
        }
        Path file = Files.writeString(folder.resolve("cluster.yaml"), text);
        OperatedCell cell = new OperatedCell(kind, file, text.toString(), ports);
        ConfigFile.read(file).nodes().forEach(cell::startServer);
        return cell;
    }

    private void startServer(NodeConfig node) {
        Agent.writeFirstRoleFile(new AgentConfig(cluster(), node.id()));
        servers.put(node.name(), kind.start(node));
    }

    /** The server of that node ends, with whatever it holds. */
    public void endServer(String name) {
        end(Objects.requireNonNull(servers.remove(name)));
    }

    private static void end(AutoCloseable server) {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** It is started again, with the file that it finds. */
    public void startServer(String name) {
        startServer(config(name).node());
    }

    /** The cluster file as it is now. */
    public ClusterConfig cluster() {
        return ConfigFile.read(file);
    }

    /** Its path. */
    public Path file() {
        return file;
    }

    /** Changes it, always from what it was at first. */
    public void rewrite(String from, String to) throws IOException {
        if (!text.contains(from)) {
            throw new IllegalArgumentException(from + " is not in the cluster file");
        }
        Files.writeString(file, text.replace(from, to));
    }

    /** Starts the agents of these nodes in this process, together: who comes first waits for nobody. */
    public void startAgents(List<String> names) {
        List<CompletableFuture<Void>> started = names.stream()
                .map(name -> CompletableFuture.runAsync(() -> startAgent(name)))
                .toList();
        started.forEach(CompletableFuture::join);
    }

    private void startAgent(String name) {
        RunningAgent agent = RunningAgent.start(config(name), AgentListener.NONE);
        synchronized (agents) {
            agents.put(name, agent);
        }
    }

    /** The configuration of one agent. */
    public AgentConfig config(String name) {
        ClusterConfig cluster = cluster();
        return new AgentConfig(cluster, cluster.nodeNamed(name).orElseThrow().id());
    }

    /** The agent of that node, in this process. */
    public Agent agent(String name) {
        return Objects.requireNonNull(agents.get(name)).agent();
    }

    /** Ends it in good order. */
    void closeAgent(String name) {
        Objects.requireNonNull(agents.remove(name)).close();
    }

    /** Whether every agent of this process knows all nodes, and its server runs the newest file. */
    public boolean isReady() {
        return agents.values().stream()
                .allMatch(running -> running.agent().isReady()
                        && running.agent().view().known().count() == NODES);
    }

    @Override
    public void close() {
        agents.values().parallelStream().forEach(RunningAgent::close);
        servers.values().forEach(OperatedCell::end);
        ports.close();
    }
}
