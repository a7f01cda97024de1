package dev.retier.agent.daemon;

import dev.retier.agent.apply.RoleFileApplier;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.TargetBoard;
import dev.retier.agent.observe.StatusPoller;
import dev.retier.agent.render.RoleFiles;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Stamps;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the own server's role file and the targets for the edge in step with the view. Owned by the control loop. */
final class Follower {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** How closely to ask while the server has a new file; it takes some 20 ms. */
    private static final Duration HURRY = Duration.ofMillis(60);

    private final ClusterConfig config;
    private final NodeConfig node;
    private final StatusPoller poller;
    private final TargetBoard board;
    private final Narrator narrator;
    private final AgentMetrics metrics;
    private final RoleFileApplier applier;
    private volatile long stampOnDisk;
    private volatile boolean isTaken;
    private boolean wasUnwritable;

    /** What a follower works with. */
    record Parts(StatusPoller poller, TargetBoard board, Narrator narrator, AgentMetrics metrics) {}

    Follower(ClusterConfig config, NodeConfig node, Parts parts) {
        this.config = config;
        this.node = node;
        this.poller = parts.poller;
        this.board = parts.board;
        this.narrator = parts.narrator;
        this.metrics = parts.metrics;
        this.applier =
                new RoleFileApplier(node.server().roleFile(), config.move().switchDeadline());
    }

    /** Stamp of the file on disk; may be read from any thread. */
    long stampOnDisk() {
        return stampOnDisk;
    }

    /** Whether the server runs the file on disk; may be read from any thread. */
    boolean isTaken() {
        return isTaken;
    }

    boolean isPending() {
        return applier.isPending();
    }

    /** After a look, while no move of this node is under way: renders what its role word and the view ask for. */
    void follow(ClusterView view, RoleWord own) {
        long wanted = own.to() instanceof Role.Serving serving ? view.stamp(serving.site()) : 0;
        write(view, own.to(), Math.max(Stamps.of(own), wanted));
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
        long newest = Math.max(stamp, Math.max(applier.stamp(), appliedStamp()));
        Optional<String> content = RoleFiles.content(config, view, role, newest);
        if (content.isEmpty()) {
            return Writing.NOTHING_TO_RENDER;
        }
        try {
            if (applier.offer(content.get(), newest, System.nanoTime())) {
                isTaken = false;
                poller.hurry(HURRY);
            }
            stampOnDisk = newest;
            wasUnwritable = false;
            return Writing.WRITTEN;
        } catch (IOException e) {
            failed(e);
            return Writing.FAILED;
        }
    }

    private void failed(IOException e) {
        if (!wasUnwritable) {
            wasUnwritable = true;
            LOG.error(
                    "{}: cannot write {} ({}); the server keeps what it has; check owner and free space",
                    node.name(),
                    node.server().roleFile(),
                    e.toString());
        }
        metrics.count(AgentMetric.RELOADS, "result", "write_failed");
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
