package dev.retier.agent.edge;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.apply.SoleWriter;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.files.ServerTemplates;
import dev.retier.agent.render.ConfiguredView;
import dev.retier.agent.render.EdgeFiles;
import dev.retier.agent.render.NewestTargets;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.server.WithheldVariables;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the targets of one site, which any agent of the cluster serves, and keeps HAProxy, nginx or a file at them.
 * When no agent answers, what stands before the proxies keeps the last list. Tells all agents what truly runs, so that
 * a proxy can leave when nothing is sent to it any more. Thread-safe; one thread of its own, one for each agent, and
 * those of the server it steers.
 */
public final class Edge implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** How long one request waits at an agent for a change (RFC 7240, wait). */
    private static final int WAIT_SECONDS = 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(WAIT_SECONDS + 5);
    private static final long RETRY_MILLIS = 200;
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final ClusterConfig config;
    private final EdgeConfig edge;
    private final Agents agents;
    private final Telling telling;
    private final @Nullable Steered steered;
    private final SoleWriter writer;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final NewestTargets lists = new NewestTargets(); // owned by the thread
    private volatile @Nullable TargetList newest;
    /** Owned by the thread: the newest that could not be followed. */
    private @Nullable TargetList unknown;

    /**
     * The agents of all nodes.
     *
     * @param addresses where each is reached, in the order of the nodes
     * @param credentials how, and what they are shown
     */
    public record Agents(List<HostPort> addresses, Credentials credentials) {
        /** Keeps its own copy. */
        public Agents {
            addresses = List.copyOf(addresses);
        }
    }

    private Edge(ClusterConfig config, EdgeConfig edge, Agents agents, SoleWriter writer) {
        this.writer = writer;
        this.config = config;
        this.edge = edge;
        this.agents = agents;
        this.telling = new Telling(config, edge, agents.addresses(), agents.credentials());
        ServerConfig server = edge.server();
        this.steered = server == null
                ? null
                : new Steered(
                        edge.name(),
                        ManagedServers.open(edge.name(), server, InstallerEvents.NONE),
                        files(config, edge, server),
                        telling::runs);
        this.thread = Thread.ofVirtual().name("retier-edge-" + edge.name()).unstarted(this::run);
    }

    private static EdgeFiles files(ClusterConfig config, EdgeConfig edge, ServerConfig steered) {
        return new EdgeFiles(config, edge, steered, ServerTemplates.of(steered));
    }

    /**
     * Writes the first file of an edge unless there is one, so that its server can start: it sends to the nodes that
     * are proxies by the configuration.
     *
     * @throws ReconfigException when it cannot be written, or there is no proxy
     */
    public static void writeFirstFile(ClusterConfig config, EdgeConfig edge) {
        writeHosts(config, edge);
        if (!Files.exists(edge.file())) {
            writeFirst(config, edge);
        }
    }

    /** The server starts, and is checked, with the files of all its sites; another edge may write these. */
    private static void writeOther(ClusterConfig config, EdgeConfig other) {
        try {
            if (!Files.exists(other.hostsFile())) {
                writeHosts(config, other);
            }
            if (!Files.exists(other.file())) {
                writeFirst(config, other);
            }
        } catch (ReconfigException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    private static void writeFirst(ClusterConfig config, EdgeConfig edge) {
        Path file = edge.file();
        TargetList first = TargetList.of(
                config, ConfiguredView.of(config), config.site(edge.site()).orElseThrow());
        try {
            ServerConfig steered = edge.server();
            String content = steered == null
                    ? first.json() + "\n"
                    : files(config, edge, steered)
                            .render(first)
                            .orElseThrow(() -> new IOException("the site needs a proxy"))
                            .content();
            AtomicFile.replace(file, content);
        } catch (IOException | IllegalArgumentException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": the first file of " + edge.name() + " cannot be written (" + e.getMessage()
                            + "); check file, template and the roles of the nodes",
                    e);
        }
    }

    /** What HAProxy reads with each reload; it cannot start without one. */
    private static void writeHosts(ClusterConfig config, EdgeConfig edge) {
        if (edge.kind() != EdgeKind.HAPROXY) {
            return;
        }
        List<String> hosts = config.site(edge.site()).orElseThrow().hosts();
        try {
            AtomicFile.replace(
                    edge.hostsFile(),
                    hosts.stream()
                            .map(host -> host.toLowerCase(Locale.ROOT) + "\n")
                            .collect(Collectors.joining()));
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    edge.hostsFile() + ": the hosts of " + edge.name() + " cannot be written (" + e.getMessage()
                            + "); check the rights of its folder",
                    e);
        }
    }

    /**
     * Starts to follow the agents of the cluster, at the addresses of their keys {@code agent}.
     *
     * @param credentials how they are reached, and what they are shown
     * @throws ReconfigException when the template or the first file cannot be used, or another edge writes it
     */
    public static Edge start(ClusterConfig config, EdgeConfig edge, Credentials credentials) {
        return start(
                config,
                edge,
                new Agents(config.nodes().stream().map(NodeConfig::agentAdmin).toList(), credentials));
    }

    /**
     * The same.
     *
     * @param agents of all nodes
     */
    public static Edge start(ClusterConfig config, EdgeConfig edge, Agents agents) {
        if (agents.addresses().size() != config.nodes().size()) {
            throw new IllegalArgumentException(
                    agents.addresses().size() + " agents for " + config.nodes().size() + " nodes");
        }
        WithheldVariables.withhold(config.secret());
        SoleWriter writer = SoleWriter.ofGenerated(edge.file());
        try {
            return start(config, edge, agents, writer);
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    private static Edge start(ClusterConfig config, EdgeConfig edge, Agents agents, SoleWriter writer) {
        writeFirstFile(config, edge);
        config.edges().stream().filter(edge::sharesServer).forEach(other -> writeOther(config, other));
        Edge started = new Edge(config, edge, agents, writer);
        if (started.steered != null) {
            started.steered.start();
        }
        started.telling.start();
        started.thread.start();
        return started;
    }

    /** The newest list that an agent gave; empty before the first. */
    public Optional<TargetList> targets() {
        return Optional.ofNullable(newest);
    }

    private void run() {
        int turn = 0;
        boolean isLost = false;
        List<HostPort> addresses = agents.addresses();
        while (closing.getCount() > 0) {
            HostPort agent = addresses.get(turn % addresses.size());
            try {
                follow(agent);
                isLost = false;
            } catch (IOException e) {
                turn++;
                if (!isLost && turn % addresses.size() == 0 && closing.getCount() > 0) {
                    isLost = true;
                    LOG.warn("{}: no agent answers, the last list stays ({})", edge.name(), Credentials.reason(e));
                }
                pause();
            }
        }
    }

    /** Follows one agent until it fails. */
    private void follow(HostPort agent) throws IOException {
        String site = config.site(edge.site()).orElseThrow().name();
        try (HttpFetch fetch = new HttpFetch(agent, agents.credentials())) {
            String tag = "";
            TargetList given = null;
            while (closing.getCount() > 0) {
                HttpFetch.Answer answer = fetch.getAfter("/v1/targets/" + site, tag, WAIT_SECONDS, TIMEOUT);
                if (answer.status() == 200) {
                    tag = answer.headers().getOrDefault("etag", "");
                    given = TargetList.parse(answer.body()).orElseThrow(() -> new IOException("not a target list"));
                } else if (answer.status() != 304) {
                    throw new IOException(agent + " answers " + answer.status() + refusal(answer.status()));
                }
                if (given != null) {
                    take(fetch, given);
                }
            }
        }
    }

    private static String refusal(int status) {
        return status == 401 || status == 403 ? ": show it a token or a certificate of one who may read" : "";
    }

    /** What cannot be carried out is tried again with the next answer, of whichever agent. */
    private void take(HttpFetch agent, TargetList list) throws IOException {
        if (!lists.counts(agent, list, System.nanoTime()) || list.equals(newest)) {
            return;
        }
        if (steered == null) {
            AtomicFile.replace(edge.file(), list.json() + "\n");
            telling.runs(list);
        } else if (!steered.offer(list)) {
            if (!list.equals(unknown)) {
                unknown = list;
                LOG.warn(
                        "{}: none of {}, to which requests are to go, is a node of this edge's cluster file; it sends"
                                + " to those of before: give it the newest file and start it again",
                        edge.name(),
                        list.targets());
            }
            return;
        }
        newest = list;
        LOG.info("{}: sends to {} by stamp {}", edge.name(), list.targets(), list.stamp());
    }

    private void pause() {
        try {
            if (closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("{}: closing", edge.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops following; what stands before the proxies goes on with the last list. */
    @Override
    public void close() {
        closing.countDown();
        // A virtual thread that waits for a socket is woken by this.
        thread.interrupt();
        try {
            thread.join(JOIN_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        telling.close();
        if (steered != null) {
            steered.close();
        }
        writer.close();
    }
}
