package dev.retier.state.verbs;

import dev.retier.state.StateMetric;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.auth.Grant;
import dev.retier.state.auth.Rights;
import dev.retier.state.lock.LockWord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What all connections of one node to slots share. Thread-safe. */
final class Local extends LinkHost<Session> {
    /** From which terms count: 32 bits of seconds last until 2162. */
    private static final Instant BOOT_EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration LEAST_STALL = Duration.ofSeconds(2);
    private static final int STALL_DEADLINES = 8;

    private static final QueuePair.Sizes SIZES =
            new QueuePair.Sizes(Session.REQUESTS * Session.DEPTH, BellListener.BELLS, 1);

    private final ViewerConfig config;
    private final @Nullable OwnMemory memory;

    /** What a viewer shares: all but a slot. */
    Local(ViewerConfig config) {
        super(links(config), SIZES, StateMetric.ofSlots());
        this.config = config;
        this.memory = null;
    }

    /** What a member shares. */
    Local(SharedStateConfig member) {
        super(links(member.view()), SIZES, StateMetric.ofSlots());
        this.config = member.view();
        long bootSeconds = Duration.between(BOOT_EPOCH, Instant.now()).toSeconds();
        this.memory = new OwnMemory(
                new OwnMemory.Life(config.self(), identity().incarnation(), bootSeconds & LockWord.MAX_TERM),
                member.initialRole(),
                config.peers().keySet());
    }

    ViewerConfig config() {
        return config;
    }

    /** Whether there is a slot of this node's own. */
    boolean isMember() {
        return memory != null;
    }

    OwnMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("a viewer has no slot");
        }
        return memory;
    }

    @Override
    protected ClusterSecret asking() {
        return config.secret();
    }

    @Override
    protected boolean serves(Rights rights) {
        return rights != Rights.FABRIC;
    }

    @Override
    protected Session connected(Ready ready, ByteBuffer grant) throws IOException {
        return new Session(ready, operations(ready.pair().device()), Grant.decode(grant));
    }

    @Override
    protected boolean waitsItself() {
        return true;
    }

    @Override
    protected boolean saysGoodbye() {
        return true;
    }

    @Override
    protected Admission admit(Ready ready, Rights rights) throws IOException {
        Grant grant = memory().grant(ready.pair(), ready.peer().node(), rights);
        Connection use =
                rights == Rights.MEMBER ? BellListener.start(ready, memory().announcements()) : Connection.PASSIVE;
        return new Admission(grant.encode(), use);
    }

    private static LinkConfig links(ViewerConfig config) {
        Duration stall = config.readDeadline().multipliedBy(STALL_DEADLINES);
        return new LinkConfig(
                config.self(), config.peers(), config.secret(), stall.compareTo(LEAST_STALL) > 0 ? stall : LEAST_STALL);
    }
}
