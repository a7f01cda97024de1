package dev.retier.state.verbs;

import dev.retier.link.Gathering;
import dev.retier.link.LinkConfig;
import dev.retier.link.LinkKeeper;
import dev.retier.link.LinkMetric;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.OutgoingLink;
import dev.retier.link.StateException;
import dev.retier.link.Work;
import dev.retier.link.auth.Handshake;
import dev.retier.state.CasOutcome;
import dev.retier.state.Fence;
import dev.retier.state.LoadRecord;
import dev.retier.state.LockOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shared state over DiSNI's verbs API. Two threads per node, whatever the number of peers, for connections and
 * for messages; both sleep while nothing happens. Answers to what a node asks are taken by the thread that asked.
 *
 * <p>Peers need not be up: they are {@link SlotReading.Reason#NOT_CONNECTED} until they come, and are found again
 * when they come back.
 */
public final class VerbsSharedState implements SharedState {
    private static final ByteBuffer NO_DIGEST = ByteBuffer.allocate(Handshake.DIGEST_BYTES);

    private final Local local;
    private final LinkKeeper<Session> keeper;
    private final SlotReader reader;
    private final RoleSwapper swapper;
    private final Map<SiteId, MoveLockClient> locks = new HashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The part of a node whose links {@code keeper} keeps. */
    VerbsSharedState(Local local, LinkKeeper<Session> keeper) {
        this.local = local;
        this.keeper = keeper;
        Sessions sessions =
                node -> Optional.ofNullable(keeper.links().get(node)).flatMap(OutgoingLink::session);
        this.reader = new SlotReader(local, sessions, this::watchLocks);
        this.swapper = new RoleSwapper(local, sessions);
        Witnesses witnesses = new Witnesses(local, sessions);
        local.config().sites().forEach(site -> locks.put(site, new MoveLockClient(local, site, witnesses)));
    }

    /**
     * Starts this node's part: formats its slot, listens, and begins to connect to every peer. Does not wait for any
     * of them.
     *
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     * @throws StateException if the address cannot be listened on; the message says what to do
     */
    public static VerbsSharedState open(SharedStateConfig config) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new StateException("this machine is big-endian; slots are little-endian");
        }
        config.transport().use();
        Local local = new Local(config, LinkConfig.Pace.SYSTEM);
        return new VerbsSharedState(local, new LinkKeeper<>(local, Optional.of(config.listen())));
    }

    @Override
    public NodeId self() {
        return local.config().self();
    }

    @Override
    public void publish(LoadRecord load) {
        local.memory().publish(load);
    }

    @Override
    public RoleWord.Parsed ownRoleWord() {
        return local.memory().role();
    }

    @Override
    public Map<NodeId, SlotReading> look() {
        requireLinks();
        return reader.look();
    }

    @Override
    public Map<NodeId, SlotReading> look(Set<NodeId> nodes) {
        requireLinks();
        return reader.look(nodes);
    }

    /** All would be silent, and this node unseen, for as long as this process lives. */
    private void requireLinks() {
        local.loss().ifPresent(why -> {
            throw new StateException(why);
        });
    }

    @Override
    public Map<NodeId, CasOutcome> compareAndSetRoles(Map<NodeId, Fence.Change> changes) {
        return swapper.swap(changes);
    }

    @Override
    public CasOutcome mendOwnRole(long bits, RoleWord next) {
        return swapper.swap(self(), bits, next);
    }

    @Override
    public LockOutcome tryAcquireMoveLock(SiteId site) {
        MoveLockClient lock = locks.get(site);
        if (lock == null) {
            throw new IllegalArgumentException(site + " is not among the configured sites");
        }
        return whyNoAtomics().<LockOutcome>map(LockOutcome.Unavailable::new).orElseGet(lock::tryAcquire);
    }

    /**
     * Why neither a role word can be changed nor a move lock be had from here: the device on which this node listens
     * has no atomics. Empty if they can; loads are published and read in any case.
     */
    public Optional<String> whyNoAtomics() {
        return keeper.abilities().whyNoAtomics();
    }

    @Override
    public void digest(ByteBuffer digest) {
        keeper.digest(digest);
    }

    @Override
    public Set<NodeId> differing() {
        ByteBuffer own = keeper.digest();
        Set<NodeId> differing = new TreeSet<>();
        keeper.digests().forEach((node, digest) -> {
            if (!digest.equals(own) && !digest.equals(NO_DIGEST) && !own.equals(NO_DIGEST)) {
                differing.add(node);
            }
        });
        differing.remove(self()); // it hears itself again at its next connection alone
        return differing;
    }

    @Override
    public long highestTerm() {
        return locks.values().stream()
                .mapToLong(MoveLockClient::highestTerm)
                .max()
                .orElse(0);
    }

    @Override
    public int announce() {
        return announce(keeper.links().keySet(), 1);
    }

    @Override
    public int announce(Set<NodeId> nodes) {
        return announce(nodes, nodes.contains(self()) ? 1 : 0);
    }

    private int announce(Set<NodeId> nodes, int own) {
        if (own > 0) {
            local.announcements().called(self());
        }
        Gathering<NodeId> sends = new Gathering<>();
        keeper.links().forEach((node, link) -> {
            if (nodes.contains(node) && !node.equals(self())) {
                link.session().filter(Session::hears).ifPresent(session -> session.announce(sends, node));
            }
        });
        AtomicInteger reached = new AtomicInteger(own);
        sends.await(local.deadlineNanos(), (_, send) -> {
            if (send.ending() == Work.Ending.DONE) {
                reached.incrementAndGet();
            }
        });
        return reached.get();
    }

    @Override
    public long awaitAnnouncement(long heard, Duration timeout) throws InterruptedException {
        return local.announcements().await(heard, timeout.toNanos());
    }

    @Override
    public void wake() {
        local.announcements().wake();
    }

    @Override
    public Set<NodeId> callers() {
        return local.announcements().callers();
    }

    @Override
    public Map<Metric, Long> metrics() {
        Map<Metric, Long> metrics = local.counters().counted();
        metrics.put(LinkMetric.CONNECTIONS, keeper.connected());
        metrics.put(StateMetric.ANNOUNCEMENTS_HEARD, local.announcements().heard());
        return metrics;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            keeper.close();
            local.close();
        }
    }

    /** A look reads the lock words too: whoever later wants a lock has watched it already. */
    private void watchLocks(NodeId node, MemorySegment slot) {
        int witness = local.config().witnesses().indexOf(node);
        if (witness >= 0) {
            locks.forEach((site, lock) -> lock.observe(
                    witness, LockWord.decode(slot.get(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(site)))));
        }
    }
}
