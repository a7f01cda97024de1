package dev.retier.cli.demo;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.view.ClusterView;
import dev.retier.cli.node.RunningAgent;
import dev.retier.link.NodeId;
import dev.retier.sim.model.NodeCosts;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.WebNodeRuntime;
import dev.retier.webnode.config.Costs;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of the demo in this process: a real web-node and a real agent each, on loopback. Started and closed by one
 * thread, which also closes single parts.
 */
final class DataCenter implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_NANOS = 10_000_000;
    private static final int SECRET_BYTES = 32;
    private static final int IO_THREADS = 2;

    private final ClusterConfig cluster;
    private final WebNodeRuntime runtime = WebNodeRuntime.create(IO_THREADS);
    private final Map<NodeId, WebNode> webNodes = new TreeMap<>();
    private final Map<NodeId, RunningAgent> agents = new TreeMap<>();

    private DataCenter(ClusterConfig cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts every node and waits until each agent knows all others, its server runs the file that it rendered, and
     * the
     * move lock can be had: a witness that has just started holds it back for one lease.
     *
     * @param directory an empty folder for role files, journals and the secret
     */
    static DataCenter start(ClusterConfig cluster, NodeCosts costs, Path directory, AgentListener listener) {
        DataCenter dataCenter = new DataCenter(cluster);
        try {
            writeSecret(directory.resolve("secret"));
            for (NodeConfig node : cluster.nodes()) {
                dataCenter.startWebNode(node, costs);
            }
            for (NodeConfig node : cluster.nodes()) {
                dataCenter.agents.put(node.id(), RunningAgent.start(new AgentConfig(cluster, node.id()), listener));
            }
            long lockableNanos = System.nanoTime() + cluster.timing().lease().toNanos();
            dataCenter.awaitReady(lockableNanos);
            return dataCenter;
        } catch (IOException e) {
            dataCenter.close();
            throw new UncheckedIOException("cannot write below " + directory, e);
        } catch (RuntimeException e) {
            dataCenter.close();
            throw e;
        }
    }

    /** The agents that run, as URLs of their admin API. */
    List<URI> agentUrls() {
        return agents.values().stream()
                .map(running -> URI.create("http://" + running.agent().adminAddress()))
                .toList();
    }

    /** The cluster as the first agent that runs sees it. */
    ClusterView view() {
        return agents.values().stream()
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no agent runs any more"))
                .agent()
                .view();
    }

    ClusterConfig cluster() {
        return cluster;
    }

    /** Closes one part in good order; returns whether it was running. */
    boolean close(Closure closure) {
        NodeId node = new NodeId(closure.node());
        return switch (closure.part()) {
            case WEB_NODE -> close(webNodes.remove(node));
            case AGENT -> agents.size() > 1 && close(agents.remove(node));
        };
    }

    /** Closes agents first, so that none sees the servers go. */
    @Override
    public void close() {
        agents.values().parallelStream().forEach(RunningAgent::close);
        agents.clear();
        webNodes.values().forEach(WebNode::close);
        webNodes.clear();
        runtime.close();
    }

    private static boolean close(@Nullable AutoCloseable part) {
        if (part == null) {
            return false;
        }
        try {
            part.close();
            return true;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("web-nodes and agents throw nothing checked", e);
        }
    }

    private void startWebNode(NodeConfig node, NodeCosts costs) {
        Agent.writeFirstRoleFile(new AgentConfig(cluster, node.id()));
        WebNodeSettings settings = WebNodeSettings.of(
                        node.name(),
                        node.server().address(),
                        node.server().admin(),
                        node.server().roleFile(),
                        costs.capacityPerSecond())
                .withCosts(new Costs(
                        costs.staticHit(),
                        costs.staticOrigin(),
                        costs.forward(),
                        costs.dynamic(),
                        Costs.DEFAULTS.dynamicMax()));
        webNodes.put(node.id(), WebNode.start(settings, runtime));
    }

    private static void writeSecret(Path file) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, HexFormat.of().formatHex(secret));
    }

    private void awaitReady(long lockableNanos) {
        long deadlineNanos = System.nanoTime() + START_DEADLINE.toNanos();
        while (System.nanoTime() - lockableNanos < 0
                || !agents.values().stream().allMatch(this::knowsAll)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("the agents did not all find each other within "
                        + START_DEADLINE.toSeconds() + " s; is the machine overloaded?");
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private boolean knowsAll(RunningAgent running) {
        return running.agent().isReady()
                && running.agent().view().known().count() == cluster.nodes().size();
    }
}
