package dev.retier.state.verbs.sync;

import dev.retier.state.sync.LeaseRule;
import dev.retier.state.sync.SharedLockHome;
import dev.retier.state.verbs.rpc.Fabric;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Locks and barriers between the nodes of a fabric. Each has a home node that keeps it; every node of the fabric opens
 * one of these, with the same lease.
 *
 * <p>A holder that dies, stalls or is cut off loses its lock after the lease, and knows by {@link Held#isSafe} that it
 * may not act before anybody else may. A home that restarts grants nothing for one lease, and higher tokens than in its
 * earlier life if its wall clock has gone on.
 *
 * <p>Thread-safe. One thread, which sleeps while nothing is locked or wanted.
 */
public final class Locks implements AutoCloseable {
    /** From which boots count: 42 bits of milliseconds last until 2165. */
    private static final Instant BOOT_EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration LEAST_LEASE = Duration.ofMillis(300);

    private final ScheduledExecutorService timer;
    private final LeaseRule rule;
    private final LockWords words;
    private final SharedLocks shared;
    private final Barriers barriers;
    private final Map<LockPlace, TicketDriver> tickets = new ConcurrentHashMap<>();

    /**
     * Takes part in the locks of {@code fabric}, and keeps those whose home is this node.
     *
     * @param lease how long a dead holder keeps others waiting; the same on every node, 300 ms at least
     * @throws IllegalArgumentException if the lease is too short
     * @throws IllegalStateException if this fabric has locks already
     */
    public Locks(Fabric fabric, Duration lease) {
        if (lease.compareTo(LEAST_LEASE) < 0) {
            throw new IllegalArgumentException("a lease of " + lease.toMillis() + " ms; at least 300 are needed");
        }
        this.rule = new LeaseRule(lease.toNanos());
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform().name("locks-" + fabric.self()).daemon().factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        one.setRemoveOnCancelPolicy(true);
        this.timer = one;
        long bootMillis = Duration.between(BOOT_EPOCH, Instant.now()).toMillis();
        this.words = new LockWords(fabric, bootMillis, lease);
        Asking asking = new Asking(fabric, lease);
        this.shared = new SharedLocks(fabric, asking, rule, timer, bootMillis);
        this.barriers = new Barriers(fabric, asking, rule);
    }

    /**
     * Waits for the exclusive lock: a ticket drawn by fetch-and-add, and handed over among the threads of this node a
     * few times before it goes on to another. The home's processor has no part in it.
     *
     * @return nothing if the deadline came first
     */
    public Optional<Held> acquire(LockPlace place, Duration deadline) throws InterruptedException {
        return tickets.computeIfAbsent(place, where -> new TicketDriver(where, words, rule, timer))
                .acquire(deadline);
    }

    /** Waits until nobody writes: the read side of a read/write lock. Nothing if the deadline came first. */
    public Optional<Held> acquireRead(LockPlace place, Duration deadline) throws InterruptedException {
        return shared.acquire(place, SharedLockHome.Mode.READ, deadline);
    }

    /** Waits until nobody else reads or writes. Nothing if the deadline came first. */
    public Optional<Held> acquireWrite(LockPlace place, Duration deadline) throws InterruptedException {
        return shared.acquire(place, SharedLockHome.Mode.WRITE, deadline);
    }

    /**
     * Waits until {@code parties} threads of any nodes have come to the barrier. Whoever gives up at its deadline, or
     * dies, breaks the round for all who wait in it.
     *
     * @param parties the same for everybody who comes
     */
    public BarrierOutcome await(LockPlace place, int parties, Duration deadline) throws InterruptedException {
        return barriers.await(place, parties, deadline);
    }

    /** Takes part no more: what is held is lost after a lease. The fabric stays open. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
