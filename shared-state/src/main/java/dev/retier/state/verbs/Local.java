package dev.retier.state.verbs;

import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Versions;
import dev.retier.state.StateMetric;
import dev.retier.state.slot.SlotGrant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all connections of one node to slots share. Thread-safe. */
final class Local extends LinkHost<Session> {
    private static final Logger LOG = LoggerFactory.getLogger(Local.class);

    private static final Duration LEAST_STALL = Duration.ofSeconds(2);
    private static final int STALL_DEADLINES = 8;

    /**
     * Receives for announcements. A peer that announces more often while this node's process stands still loses the
     * connection, and makes another.
     */
    static final int RECEIVES = 64;

    private static final QueuePair.Sizes SIZES = new QueuePair.Sizes(Session.DEPTH, RECEIVES, 1);

    private final SharedStateConfig config;
    private final OwnMemory memory;
    private final Announcements announcements = new Announcements();

    Local(SharedStateConfig config, LinkConfig.Pace pace) {
        super(links(config, pace), SIZES, List.of(StateMetric.values()));
        this.config = config;
        this.memory = new OwnMemory(identity(), config.boot(), config.initialRole());
    }

    SharedStateConfig config() {
        return config;
    }

    /** Until when what is asked now may be answered. */
    long deadlineNanos() {
        return nowNanos() + config.readDeadline().toNanos();
    }

    OwnMemory memory() {
        return memory;
    }

    /** What others announce. */
    Announcements announcements() {
        return announcements;
    }

    /** Counts what cannot be believed, and tells of each {@code complaint} once. */
    void complain(StateMetric metric, String complaint) {
        counters().count(metric);
        if (isNews(complaint)) {
            LOG.warn("{} {}", identity().node(), complaint);
        }
    }

    /** One: to read the slot, and to change role word, lock words and one's own announcement word. */
    @Override
    protected List<Right> rights() {
        return List.of(new Right(2, ""));
    }

    @Override
    protected Session connected(Ready ready, ByteBuffer grant) throws IOException {
        return new Session(ready, operations(ready.pair().device()), SlotGrant.decode(grant));
    }

    @Override
    protected boolean waitsItself() {
        return true;
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        NodeId peer = ready.peer().node();
        if (ready.terms().version() != Versions.FORMER) {
            return new Admission(memory.grant(ready.pair(), Optional.empty()).encode(), announcements.of(peer));
        }
        FormerBells bells = new FormerBells(announcements, peer);
        SlotGrant grant = memory.grant(ready.pair(), Optional.of(bells.words()));
        return new Admission(grant.encode(), bells);
    }

    private static LinkConfig links(SharedStateConfig config, LinkConfig.Pace pace) {
        Duration stall = config.readDeadline().multipliedBy(STALL_DEADLINES);
        return new LinkConfig(
                config.self(),
                config.peers(),
                config.secrets(),
                stall.compareTo(LEAST_STALL) > 0 ? stall : LEAST_STALL,
                config.formerHandshake(),
                config.digest(),
                config.tls(),
                pace);
    }
}
