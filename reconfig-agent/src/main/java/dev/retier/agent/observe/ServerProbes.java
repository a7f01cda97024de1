package dev.retier.agent.observe;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.MarkOnDisk;
import dev.retier.agent.view.Probes;
import dev.retier.config.HostPort;
import dev.retier.config.IoReason;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of nodes whose agents are silent, directly, whether they live: the death of an agent must not take a
 * working server out of service. Thread-safe; at most one round at a time, on a virtual thread.
 */
public final class ServerProbes {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProbes.class);
    /** In it a server says by which file it answers. */
    private static final String EPOCH_HEADER = "x-retier-epoch";

    private static final long PROOF_PAUSE_NANOS = 50_000_000;
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    /** A server that came back is noticed within this time; a dead one costs one connect per round. */
    private static final long ROUND_INTERVAL_NANOS = 500_000_000;

    private final ClusterConfig config;
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private volatile Probes newest = Probes.NONE;
    private volatile long lastRoundNanos;
    private volatile boolean hasRun;

    /** Probes of the servers in {@code config}. */
    public ServerProbes(ClusterConfig config) {
        this.config = config;
    }

    /** What the servers said in the newest round. */
    public Probes newest() {
        return newest;
    }

    /**
     * Begins a round over these nodes, unless one is under way or was a moment ago.
     *
     * @param roles in which nodes were seen last: of two servers it is asked the one of the role
     */
    public void probe(List<NodeId> unknown, Function<NodeId, Optional<Role>> roles) {
        if (unknown.isEmpty()) {
            newest = Probes.NONE;
            return;
        }
        long nowNanos = System.nanoTime();
        boolean isDue = !hasRun || nowNanos - lastRoundNanos >= ROUND_INTERVAL_NANOS;
        if (isDue && isRunning.compareAndSet(false, true)) {
            hasRun = true;
            lastRoundNanos = nowNanos;
            Thread.ofVirtual().name("retier-probe").start(() -> round(unknown, roles, nowNanos));
        }
    }

    private void round(List<NodeId> unknown, Function<NodeId, Optional<Role>> roles, long nowNanos) {
        try {
            Set<NodeId> answered = ConcurrentHashMap.newKeySet();
            Set<NodeId> silent = ConcurrentHashMap.newKeySet();
            // Side by side: a rack without power takes as long as one machine, and its answers are not old by then.
            List<Thread> asking = unknown.stream()
                    .map(id -> Thread.ofVirtual()
                            .name("retier-probe-" + id.value())
                            .start(() -> {
                                boolean isAnswered = answers(config, config.node(id), roles.apply(id));
                                (isAnswered ? answered : silent).add(id);
                            }))
                    .toList();
            for (Thread thread : asking) {
                thread.join();
            }
            newest = new Probes(answered, silent, nowNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isRunning.set(false);
        }
    }

    private static boolean answers(ClusterConfig config, NodeConfig node, Optional<Role> role) {
        return role.map(known -> Stream.of(node.server(known)))
                .orElseGet(() -> node.servers().stream())
                .anyMatch(server -> answers(config, node, server));
    }

    /** A web-node tells its status to everybody; of other kinds, it is an answer to a client that counts. */
    private static boolean answers(ClusterConfig config, NodeConfig node, ServerConfig server) {
        boolean isWebNode = server.kind() == ServerKind.WEB_NODE;
        boolean isShown = server.kind().showsItsFile();
        HostPort asked = isWebNode ? server.admin() : server.address();
        try (HttpFetch fetch = new HttpFetch(asked, isShown ? asked.toString() : config.anyHost(server))) {
            int status = fetch.probe(isWebNode ? "/status" : server.provePath(), TIMEOUT)
                    .status();
            return isWebNode ? status == 200 : isShown || server.kind().isProof(status);
        } catch (IOException e) {
            LOG.debug("server of {}: {}", node.name(), e.toString());
            return false;
        }
    }

    /**
     * Why it is not proven that the server answers a fresh connection as {@link ServerKind#isProof} says (who serves
     * nothing may answer with anything), and does so by the file of {@code stamp} or a later one, where its answers
     * show it; empty when it is. A
     * server that has just been reloaded may fail a first try, so it is asked until three quarters of the time have
     * gone: the caller's own deadline comes after that.
     *
     * @param config names the host that is asked for: the first one of the site
     * @param node whose server
     * @param role which it should be in
     * @param timeout for all tries together
     */
    public static Optional<String> objection(
            ClusterConfig config, NodeConfig node, Role role, long stamp, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos() / 4 * 3;
        String host = host(config, node, role);
        Optional<String> objection = objectionOnce(node, host, role, stamp, timeout);
        while (objection.isPresent() && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(PROOF_PAUSE_NANOS);
            objection = objectionOnce(node, host, role, stamp, timeout);
        }
        return objection;
    }

    /** The first name of the site, as a server may have others; of a spare that of any site. */
    private static String host(ClusterConfig config, NodeConfig node, Role role) {
        ServerConfig server = node.server(role);
        return role instanceof Role.Serving(var id, Tier _)
                ? config.site(id).stream()
                        .flatMap(site -> site.hosts().stream())
                        .findFirst()
                        .orElseGet(() -> server.address().toString())
                : config.anyHost(server);
    }

    private static Optional<String> objectionOnce(
            NodeConfig node, String host, Role role, long stamp, Duration timeout) {
        ServerConfig server = node.server(role);
        String asked = server.address() + ", asked for " + server.provePath() + " of host " + host + ", answered ";
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            HttpFetch.Answer answer = fetch.probe(uncached(server.provePath(), stamp), timeout);
            Optional<Mark> mark = Mark.ofHeader(answer.headers().get(EPOCH_HEADER));
            boolean isNewEnough = mark.map(found -> isNewest(server, found, stamp))
                    .orElse(!server.kind().showsItsFile());
            boolean isProof =
                    isNewEnough && (server.kind().isProof(answer.status()) || !(role instanceof Role.Serving));
            return isProof
                    ? Optional.empty()
                    : Optional.of(asked
                            + answer.status()
                            + mark.map(found -> " by the file of " + found).orElse(unmarked(server)));
        } catch (IOException e) {
            return Optional.of(asked + "nothing (" + IoReason.of(e) + ")");
        }
    }

    private static String unmarked(ServerConfig server) {
        return server.kind().showsItsFile()
                ? " by a configuration that does not include the agent's file; see retier doctor"
                : ": set prove-path to what its application answers with a status below 400";
    }

    /** What changes nothing while it runs shows the stamp that it has loaded; all else may be of a later file. */
    private static boolean isNewest(ServerConfig server, Mark shown, long stamp) {
        boolean showsWhatItLoaded = server.kind().isReloaded() && !server.kind().changesMembersAtRunTime();
        if (shown.stamp() >= stamp || !showsWhatItLoaded) {
            return shown.stamp() >= stamp;
        }
        return MarkOnDisk.of(server.roleFile())
                .filter(onDisk -> onDisk.stamp() >= stamp)
                .map(Mark::structure)
                .filter(shown.structure()::equals)
                .isPresent();
    }

    /** A cache of the same node may hold an answer that was made by an earlier file; it has none to this. */
    private static String uncached(String path, long stamp) {
        return path + (path.contains("?") ? "&" : "?") + "retier-proof=" + stamp;
    }
}
