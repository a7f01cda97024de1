package dev.retier.fabric.locks;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Timers;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome;
import dev.retier.link.LeaseTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Locks and barriers between the nodes of a fabric. Each has a home node that keeps it; every node of the fabric opens
 * one of these, with the same lease.
 *
 * <p>A holder that dies, stalls or is cut off loses its lock after the lease, and knows by {@link HeldLock#isSafe} that
 * it may not act before anybody else may. A home that restarts grants nothing for one lease, and higher tokens than in
 * its earlier life if its wall clock has gone on.
 *
 * <p>Thread-safe.
 */
public final class Locks implements AutoCloseable {
    /** From which boots count: 42 bits of milliseconds last until 2165. */
    private static final Instant BOOT_EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    /** The shortest lease: a third of it is a wait for an answer. */
    public static final Duration LEAST_LEASE = Duration.ofMillis(300);

    private final Timers timers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Fabric fabric;
    private final LeaseTimes times;
    private final LockWords words;
    private final ReadWriteLocks shared;
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
        this.fabric = fabric;
        this.times = LeaseTimes.of(lease);
        this.timers = fabric.timers();
        long bootMillis = Duration.between(BOOT_EPOCH, Instant.now()).toMillis();
        this.words = new LockWords(fabric, bootMillis, lease);
        HomeCalls asking = new HomeCalls(fabric, lease);
        this.shared = new ReadWriteLocks(asking, times, bootMillis, closed::get);
        this.barriers = new Barriers(asking, times);
    }

    /**
     * Waits for the exclusive lock: a ticket drawn by fetch-and-add, and handed over among the threads of this node a
     * few times before it goes on to another. The home's processor has no part in it.
     *
     * @return nothing if the deadline came first
     * @throws UnsupportedOperationException if the device of this node, or that of its connection to the home, has no
     *     atomics
     */
    public Optional<HeldLock> acquire(LockPlace place, Duration deadline) throws InterruptedException {
        Optional<String> refusal = fabric.link(place.home())
                .flatMap(PeerLink::whyNoAtomics)
                .or(() -> fabric.abilities().whyNoAtomics());
        if (refusal.isPresent()) {
            throw new UnsupportedOperationException("exclusive locks: " + refusal.get()
                    + "; use a device that has them, the transport iwarp, or acquireWrite, which asks the home");
        }
        return tickets.computeIfAbsent(place, where -> new TicketDriver(where, words, times, timers, closed::get))
                .acquire(deadline);
    }

    /** Waits until nobody writes: the read side of a read/write lock. Nothing if the deadline came first. */
    public Optional<HeldLock> acquireRead(LockPlace place, Duration deadline) throws InterruptedException {
        return shared.acquire(place, ReadWriteLockHome.Mode.READ, deadline);
    }

    /** Waits until nobody else reads or writes. Nothing if the deadline came first. */
    public Optional<HeldLock> acquireWrite(LockPlace place, Duration deadline) throws InterruptedException {
        return shared.acquire(place, ReadWriteLockHome.Mode.WRITE, deadline);
    }

    /**
     * Waits until {@code parties} threads of any nodes have come to the barrier. Whoever gives up at its deadline, or
     * dies, breaks the round for all who wait in it.
     *
     * @param parties the same for everybody who comes, for as long as the home lives
     * @throws IllegalArgumentException if the home knows the barrier for another number, or there can be no such one
     */
    public BarrierOutcome await(LockPlace place, int parties, Duration deadline) throws InterruptedException {
        return barriers.await(place, parties, deadline);
    }

    /** Takes part no more: what is held is lost after a lease. The fabric stays open. */
    @Override
    public void close() {
        closed.set(true);
    }
}
