package dev.retier.state.verbs;

import dev.retier.state.CasOutcome;
import dev.retier.state.LoadRecord;
import dev.retier.state.LockOutcome;
import dev.retier.state.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.slot.AnnouncementWord;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shared state over DiSNI's verbs API. Two threads per node, whatever the number of peers; both sleep while
 * nothing happens.
 *
 * <p>Peers need not be up: they are {@link SlotReading.Reason#NOT_CONNECTED} until they come, and are found again
 * when they come back.
 */
public final class VerbsSharedState implements SharedState {
    /** How often the announcement words are looked at: one is seen within 10 ms, and looking costs next to nothing. */
    private static final long WATCH_NANOS = 7_000_000L;

    private final SharedStateConfig config;
    private final Local local;
    private final LinkKeeper<Session> keeper;
    private final SlotReader reader;
    private final Map<SiteId, SiteLock> locks = new HashMap<>();
    private final AtomicLong announced = new AtomicLong();
    private final ReentrantLock closing = new ReentrantLock();
    /** Guarded by closing. */
    private boolean closed;

    private VerbsSharedState(SharedStateConfig config) {
        this.config = config;
        this.local = new Local(config);
        this.keeper = new LinkKeeper<>(local, Optional.of(config.listen()));
        this.reader = new SlotReader(local, keeper.links(), this::watchLocks);
        Witnesses witnesses = new Witnesses(config, keeper.links());
        config.sites().forEach(site -> locks.put(site, new SiteLock(config, site, witnesses)));
    }

    /**
     * Starts this node's part: formats its slot, listens, and begins to connect to every peer. Does not wait for any
     * of them.
     *
     * @throws StateException if the address cannot be listened on, or the transport is not there; the message says
     * which and what to do
     */
    public static VerbsSharedState open(SharedStateConfig config) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new StateException(
                    StateException.Category.FATAL, "this machine is big-endian; slots are little-endian");
        }
        config.transport().installOnce();
        return new VerbsSharedState(config);
    }

    @Override
    public NodeId self() {
        return config.self();
    }

    @Override
    public void publish(LoadRecord load) {
        local.memory().publish(load);
    }

    @Override
    public RoleWord ownRoleWord() {
        return local.memory().role();
    }

    @Override
    public Map<NodeId, SlotReading> look() {
        return reader.look();
    }

    @Override
    public CasOutcome compareAndSetRole(NodeId node, RoleWord expected, RoleWord next) {
        OutgoingLink<Session> link = keeper.links().get(node);
        if (link == null) {
            throw new IllegalArgumentException(node + " is not in this cell");
        }
        Optional<Session> session = link.session();
        if (session.isEmpty()) {
            return new CasOutcome.Unreachable(node + " is not connected");
        }
        Gathering gathering = new Gathering();
        Optional<Work> swap =
                session.get().compareAndSwap(SlotLayout.ROLE_OFFSET, expected.encode(), next.encode(), gathering);
        if (swap.isEmpty()) {
            return new CasOutcome.Unreachable(node + " has " + Session.DEPTH + " operations under way already");
        }
        gathering.await(System.nanoTime() + config.readDeadline().toNanos());
        return outcome(swap.get(), expected);
    }

    @Override
    public LockOutcome tryAcquireMoveLock(SiteId site) {
        SiteLock lock = locks.get(site);
        if (lock == null) {
            throw new IllegalArgumentException(site + " is not among the configured sites");
        }
        return lock.tryAcquire();
    }

    @Override
    public int announce(long epoch) {
        long word = AnnouncementWord.encode(epoch);
        local.memory().announce(epoch);
        List<Work> writes = new ArrayList<>();
        Gathering gathering = new Gathering();
        keeper.links().forEach((node, link) -> {
            if (!node.equals(config.self())) {
                link.session()
                        .flatMap(session -> session.announce(word, gathering))
                        .ifPresent(writes::add);
            }
        });
        gathering.await(System.nanoTime() + config.readDeadline().toNanos());
        int reached = 1;
        for (Work write : writes) {
            reached += write.ending() == Work.Ending.DONE ? 1 : 0;
            write.release();
        }
        return reached;
    }

    @Override
    public long awaitAnnouncement(long afterEpoch, Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        long highest = highestAnnounced();
        long left = deadlineNanos - System.nanoTime();
        while (highest <= afterEpoch && left > 0) {
            LockSupport.parkNanos(Math.min(left, WATCH_NANOS));
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while awaiting an announcement");
            }
            highest = highestAnnounced();
            left = deadlineNanos - System.nanoTime();
        }
        return highest;
    }

    @Override
    public void close() {
        closing.lock();
        try {
            if (!closed) {
                closed = true;
                keeper.close();
                local.close();
            }
        } finally {
            closing.unlock();
        }
    }

    private CasOutcome outcome(Work swap, RoleWord expected) {
        try {
            return switch (swap.ending()) {
                case DONE -> judge(Session.word(swap), expected);
                case FAILED -> new CasOutcome.Unresolved("the connection broke before the answer came");
                case TIMED_OUT -> new CasOutcome.Unresolved("no answer within the read deadline");
            };
        } finally {
            swap.release();
        }
    }

    private static CasOutcome judge(long found, RoleWord expected) {
        return found == expected.encode() ? new CasOutcome.Won() : new CasOutcome.Lost(RoleWord.decode(found));
    }

    /** A look reads the lock words too: whoever later wants a lock has watched it already. */
    private void watchLocks(NodeId node, MemorySegment slot) {
        int witness = config.witnesses().indexOf(node);
        if (witness >= 0) {
            locks.values().forEach(lock -> lock.observe(witness, slot));
        }
    }

    private long highestAnnounced() {
        return announced.accumulateAndGet(local.memory().announced(), Math::max);
    }
}
