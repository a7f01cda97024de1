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
import dev.retier.webnode.WebNode;
import dev.retier.webnode.WebNodeRuntime;
import dev.retier.webnode.config.HostPort;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A cluster on this machine: agents as processes of their own, started by {@code ./retier agent} as an operator starts
 * them, and their web-nodes in this process. Closes all of them. Not thread-safe.
 */
final class AgentCell implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MOVE_PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_EVERY_NANOS = 100_000_000;
    private static final long END_SECONDS = 20;
    private static final double UNITS_PER_SECOND = 1_000;
    private static final int SECRET_BYTES = 32;

    private final ClusterConfig cluster;
    private final WebNodeRuntime runtime = WebNodeRuntime.create(1);
    private final List<WebNode> servers = new ArrayList<>();
    private final List<Process> agents = new ArrayList<>();

    private AgentCell(ClusterConfig cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts it and waits until every agent is ready.
     *
     * @param folder an empty one
     * @throws IOException when a file cannot be written or an agent does not become ready
     */
    static AgentCell start(Path folder, int nodes, int proxies) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Path kept = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(kept, HexFormat.of().formatHex(secret));
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"),
                ClusterText.of(folder, proxies, freePorts(nodes * ClusterText.PORTS_PER_NODE)));
        AgentCell cell = new AgentCell(ConfigFile.read(file));
        try {
            for (NodeConfig node : cell.cluster.nodes()) {
                cell.startServer(node);
                cell.startAgent(node, file);
            }
            cell.awaitReady();
            return cell;
        } catch (IOException | RuntimeException e) {
            cell.close();
            throw e;
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private void startServer(NodeConfig node) {
        Agent.writeFirstRoleFile(new AgentConfig(cluster, node.id()));
        servers.add(WebNode.start(
                WebNodeSettings.of(
                        node.name(),
                        address(node.server().address()),
                        address(node.server().admin()),
                        node.server().roleFile(),
                        UNITS_PER_SECOND),
                runtime));
    }

    private static HostPort address(dev.retier.agent.config.HostPort address) {
        return new HostPort(address.host(), address.port());
    }

    private void startAgent(NodeConfig node, Path file) throws IOException {
        agents.add(new ProcessBuilder(
                        Launched.launcher().toString(), "agent", "--config", file.toString(), "--node", node.name())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log(file, node.name()).toFile())
                .start());
    }

    private static Path log(Path file, String name) {
        return file.resolveSibling(name + ".log");
    }

    private void awaitReady() throws IOException {
        long deadlineNanos = System.nanoTime() + START_DEADLINE.toNanos();
        for (NodeConfig node : cluster.nodes()) {
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
            return fetch.get("/readyz", ASK_TIMEOUT).status() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /** What the kernel says of each agent now, in the order of the nodes. */
    List<ProcessFigures> figures() throws IOException {
        List<ProcessFigures> figures = new ArrayList<>();
        for (Process agent : agents) {
            figures.add(ProcessFigures.of(agent.pid()));
        }
        return figures;
    }

    /** Where the agent of node {@code id} tells the targets. */
    URI agent(int id) {
        return URI.create("http://" + cluster.nodes().get(id - 1).agentAdmin());
    }

    /**
     * Has node {@code id} moved, as an operator does at the agent of node 1.
     *
     * @throws IOException when that is refused or the move does not end well
     */
    void move(int id, String to) throws IOException {
        Answer answer = ControlClient.ask(
                new AgentConfig(cluster, cluster.nodes().getFirst().id()).controlSocket(),
                new Command.Move(ClusterText.name(id), to, new Manner(false, true)),
                MOVE_PATIENCE);
        if (answer.outcome() != Answer.Outcome.DONE) {
            throw new IOException("a move of " + ClusterText.name(id) + " to " + to + " failed: " + answer.print());
        }
    }

    @Override
    public void close() {
        agents.forEach(Process::destroy);
        for (Process agent : agents) {
            try {
                if (!agent.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    agent.destroyForcibly();
                }
            } catch (InterruptedException e) {
                agent.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        servers.forEach(WebNode::close);
        runtime.close();
    }
}
