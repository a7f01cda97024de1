package dev.retier.agent.doctor;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The other agents, by their own pages: whether they answer, what their clocks say, and whether each sees the memory of
 * the other, which takes the same secret. One that is not up yet is no fault. One use.
 */
final class PeerExamination {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** Journals of several nodes are read side by side, by the wall clock. */
    private static final Duration MOST_SKEW = Duration.ofSeconds(5);
    /** An agent that has just begun is connected to after a second at most; so often it is asked again. */
    private static final int MOST_LOOKS = 4;

    private static final long PAUSE_NANOS = 1_000_000_000L;

    private static final JsonMapper MAPPER = new JsonMapper();

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final ClusterLines lines;
    private final Credentials credentials;
    private final List<NodeConfig> answering = new ArrayList<>();
    private final List<String> silent = new ArrayList<>();

    PeerExamination(ClusterConfig cluster, NodeConfig node, ClusterLines lines, Credentials credentials) {
        this.cluster = cluster;
        this.node = node;
        this.lines = lines;
        this.credentials = credentials;
    }

    /** What an agent says of itself and of the others; empty while it does not answer. */
    static Optional<JsonNode> status(NodeConfig node, Credentials credentials) {
        try (HttpFetch fetch = new HttpFetch(node.agentAdmin(), credentials)) {
            JsonNode status = MAPPER.readTree(fetch.get("/v1/status", TIMEOUT).body());
            return status.path("node").asString("").equals(node.name()) ? Optional.of(status) : Optional.empty();
        } catch (IOException | JacksonException e) {
            // It does not run yet.
            return Optional.empty();
        }
    }

    /** Of all peers; {@code isRunning} where the agent of this node is. */
    List<Finding> findings(boolean isRunning) throws InterruptedException {
        List<Finding> bad = new ArrayList<>();
        for (NodeConfig peer : cluster.nodes()) {
            if (!peer.id().equals(node.id())) {
                clock(peer).ifPresent(bad::add);
            }
        }
        if (isRunning) {
            unseen().ifPresent(bad::add);
        }
        if (!bad.isEmpty()) {
            return bad;
        }
        String seen = isRunning
                ? "all agents answer and are seen, and their clocks agree"
                : "all agents answer, and their clocks agree; whether they know the same secret shows once the agent"
                        + " of " + node.name() + " runs";
        return List.of(
                silent.isEmpty()
                        ? Finding.good("peers", seen)
                        : Finding.unknown("peers", "no agent answers yet of " + String.join(", ", silent)));
    }

    /** The peers whose agents have answered. */
    List<NodeConfig> answering() {
        return List.copyOf(answering);
    }

    private Optional<Finding> clock(NodeConfig peer) {
        Instant now = Instant.now();
        try (HttpFetch fetch = new HttpFetch(peer.agentAdmin(), credentials)) {
            String date = fetch.get("/livez", TIMEOUT).headers().getOrDefault("date", "");
            answering.add(peer);
            Duration skew = skew(date, now);
            return skew.compareTo(MOST_SKEW) <= 0
                    ? Optional.empty()
                    : Optional.of(Finding.bad(
                            "clocks",
                            "the clock of " + peer.name() + " is " + skew.toSeconds() + " s away from this one",
                            peer.name(),
                            "let chrony or systemd-timesyncd set both"));
        } catch (IOException e) {
            silent.add(peer.name() + " at " + peer.agentAdmin());
            return Optional.empty();
        }
    }

    private static Duration skew(String date, Instant now) {
        try {
            return Duration.between(
                            ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant(),
                            now)
                    .abs();
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    /** Agents answer for people, and one still cannot connect to the other: what it says of it is no secret. */
    private Optional<Finding> unseen() throws InterruptedException {
        List<Unseen> unseen = look();
        for (int looks = 1; looks < MOST_LOOKS && !unseen.isEmpty(); looks++) {
            pause();
            unseen = look();
        }
        return unseen.isEmpty() ? Optional.empty() : Optional.of(told(unseen));
    }

    /** Which of the causes it is, the logs of both say. */
    Finding told(List<Unseen> unseen) {
        Unseen first = unseen.getFirst();
        boolean isTls = cluster.rdmaTls().isPresent();
        String key = cluster.secret() instanceof SecretSource.InFile ? "secret-file" : "secret-env";
        return Finding.bad(
                "peers",
                String.join(", ", unseen.stream().map(Unseen::sentence).toList()) + ", though their agents run: they do"
                        + " not " + (isTls ? "believe each other's certificates of rdma.tls, " : "")
                        + "prove the same cluster secret to each other, or their connections to " + first.rdma()
                        + " do not get there",
                lines.at(isTls ? "rdma.tls" : key),
                (isTls ? "let doctor look at the certificates on both machines; if they are good, " : "")
                        + "give all nodes the same secret and restart their agents; if they have it, let "
                        + first.by().name() + " connect to " + first.rdma() + "; the logs of both say which");
    }

    private void pause() throws InterruptedException {
        LockSupport.parkNanos(this, PAUSE_NANOS);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** An agent, and a node that it has no connection to. */
    record Unseen(NodeConfig by, NodeConfig node) {
        String sentence() {
            return by.name() + " does not see " + node.name();
        }

        HostPort rdma() {
            return node.rdma();
        }
    }

    private List<Unseen> look() {
        List<Unseen> unseen = new ArrayList<>();
        JsonNode own = status(node, credentials).orElse(MissingNode.getInstance());
        for (NodeConfig peer : answering) {
            if (isUnconnected(own, peer)) {
                unseen.add(new Unseen(node, peer));
            }
            if (isUnconnected(status(peer, credentials).orElse(MissingNode.getInstance()), node)) {
                unseen.add(new Unseen(peer, node));
            }
        }
        return unseen;
    }

    private static boolean isUnconnected(JsonNode status, NodeConfig other) {
        return status.path("nodes")
                .valueStream()
                .filter(seen -> seen.path("node").asString("").equals(other.name()))
                .anyMatch(seen -> seen.path("reading").asString("").equals("not_connected"));
    }
}
