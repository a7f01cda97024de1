package dev.retier.agent.daemon;

import dev.retier.agent.apply.RoleFileApplier;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.TextDiff;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.render.NodeFiles;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.SlowStart;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Ground;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;

/** Keeps the own server's role file and the targets for the edge in step with the view. Owned by the control loop. */
final class Follower {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** How closely to ask while the server has a new file; it takes some 20 ms. */
    private static final Duration HURRY = Duration.ofMillis(60);

    private final ClusterConfig config;
    private final NodeConfig node;
    private final ManagedServer server;
    private final NodeFiles files;
    private final StatusPoller poller;
    private final TargetBoard board;
    private final Narrator narrator;
    private final AgentMetrics metrics;
    private final RoleFileApplier applier;
    private volatile long stampOnDisk;
    private volatile boolean isTaken;
    private @Nullable Drawn lastDrawn;
    private SlowStart slowStart = SlowStart.none();
    private @Nullable String failure;

    /** What a follower works with. */
    record Parts(
            ManagedServer server,
            NodeFiles files,
            StatusPoller poller,
            TargetBoard board,
            Narrator narrator,
            AgentMetrics metrics) {}

    Follower(ClusterConfig config, NodeConfig node, Parts parts) {
        this.config = config;
        this.node = node;
        this.server = parts.server;
        this.files = parts.files;
        this.poller = parts.poller;
        this.board = parts.board;
        this.narrator = parts.narrator;
        this.metrics = parts.metrics;
        this.applier = new RoleFileApplier(server::install, config.move().switchDeadline());
    }

    /** Stamp of the file on disk; may be read from any thread. */
    long stampOnDisk() {
        return stampOnDisk;
    }

    /** Whether the server runs the file on disk; may be read from any thread. */
    boolean isTaken() {
        return isTaken;
    }

    /** Why the newest file could not be written; null when it was. */
    @Nullable
    String failure() {
        return failure;
    }

    boolean isPending() {
        return applier.isPending();
    }

    /** After a look, while no move of this node is under way: renders what its role word and the view ask for. */
    void follow(ClusterView view, RoleWord own) {
        slowStart = slowStart.after(view, System.nanoTime());
        Ground ground = Ground.of(view, own, appliedStamp());
        Drawn drawn = new Drawn(ground, weights());
        if (!drawn.equals(lastDrawn) && write(view, ground.role(), ground.stamp()) == Writing.WRITTEN) {
            lastDrawn = drawn;
        }
    }

    /** All that a rendering depends on; while it is the same, so is the file. */
    private record Drawn(Ground ground, Map<NodeId, Integer> weights) {}

    /** Of app nodes that have joined a moment ago. */
    private Map<NodeId, Integer> weights() {
        return slowStart.weights(config.move().slowStart(), System.nanoTime());
    }

    /** After a look: puts up the targets of each site. */
    void postTargets(ClusterView view) {
        for (SiteConfig site : config.sites()) {
            TargetList list = TargetList.of(config, view, site);
            if (board.post(list)) {
                narrator.targets(list);
            }
        }
    }

    /** Result of {@link #write}. */
    enum Writing {
        WRITTEN,
        NOTHING_TO_RENDER,
        FAILED
    }

    /**
     * Puts the file of {@code role} on disk, under {@code stamp} or a later one if the server has one already: it
     * refuses what is older.
     */
    Writing write(ClusterView view, Role role, long stamp) {
        lastDrawn = null;
        long newest = Math.max(Math.max(stamp, server.installedStamp()), Math.max(applier.stamp(), appliedStamp()));
        try {
            Optional<Rendering> rendering = files.render(view, weights(), role, newest);
            if (rendering.isEmpty()) {
                return Writing.NOTHING_TO_RENDER;
            }
            if (applier.offer(rendering.get(), System.nanoTime())) {
                isTaken = false;
                poller.hurry(HURRY);
            }
            stampOnDisk = newest;
            failure = null;
            return Writing.WRITTEN;
        } catch (IOException | IllegalArgumentException e) {
            failed(e);
            return Writing.FAILED;
        }
    }

    /** By the file system, or by a template of the operator's that asks for what there is not. */
    private void failed(Exception e) {
        boolean isNew = failure == null;
        failure = e.toString();
        if (isNew) {
            LOG.error(
                    "{}: cannot write {} ({}); the server keeps what it has; check owner and free space",
                    node.name(),
                    node.server().roleFile(),
                    e.toString());
        }
        metrics.count(AgentMetric.RELOADS, "result", "write_failed");
    }

    /**
     * What a change of the file on disk would change in it: as everything is now, or in another role.
     *
     * @param other empty for the present role
     */
    Answer difference(ClusterView view, Optional<Role> other) {
        Path file = node.server().roleFile();
        Optional<Role> present = view.word(node.id()).map(word -> word.to());
        Role role = other.or(() -> present).orElse(Role.SPARE);
        try {
            String onDisk = Files.exists(file) ? Files.readString(file) : "";
            long stamp = Math.max(stampOnDisk, Math.max(server.installedStamp(), appliedStamp()));
            Optional<Rendering> rendering = files.render(view, weights(), role, stamp);
            if (rendering.isEmpty()) {
                return Answer.of(Answer.Outcome.REFUSED, "there is no file for " + RoleText.of(role, config) + " now");
            }
            List<String> lines = TextDiff.of(onDisk, rendering.get().content());
            Answer answer = Answer.of(lines.isEmpty() ? Answer.Outcome.DONE : Answer.Outcome.CHANGES);
            answer.body().put("node", node.name()).put("role", RoleText.of(role, config));
            answer.body().put("file", file.toString()).put("stamp", stamp);
            ArrayNode shown = answer.body().putArray("lines");
            lines.forEach(shown::add);
            return answer;
        } catch (IOException | IllegalArgumentException e) {
            return Answer.of(Answer.Outcome.FAILED, file + ": " + e);
        }
    }

    private long appliedStamp() {
        StatusPoller.Sample sample = poller.newest();
        return sample == null ? 0 : sample.status().appliedStamp();
    }

    /**
     * Sees whether the server took the file written last. Not to be called while a move of this node is under way: a
     * move sees for itself, and decides itself what to write when a file is refused.
     */
    void check(StatusPoller.Sample sample) {
        if (applier.isPending()) {
            poller.hurry(HURRY);
        }
        try {
            switch (applier.check(sample.status(), sample.askedAtNanos(), System.nanoTime())) {
                case NOTHING -> {}
                case APPLIED -> {
                    isTaken = true;
                    metrics.count(AgentMetric.RELOADS, "result", "applied");
                }
                case REFUSED -> {
                    metrics.count(AgentMetric.RELOADS, "result", "refused");
                    lastDrawn = null;
                    LOG.error(
                            "{}: server refused {}: {}; the last good file is back",
                            node.name(),
                            node.server().roleFile(),
                            sample.status().lastRefusal());
                }
                case LATE -> {
                    metrics.count(AgentMetric.RELOADS, "result", "late");
                    LOG.warn(
                            "{}: server has not taken {} in time",
                            node.name(),
                            node.server().roleFile());
                }
            }
        } catch (IOException e) {
            failed(e);
        }
    }
}
