package dev.retier.fabric.locks;

import dev.retier.fabric.Timers;
import dev.retier.fabric.locks.protocol.LockOperation;
import dev.retier.fabric.locks.protocol.TicketGrant;
import dev.retier.fabric.locks.protocol.TicketLock;
import dev.retier.link.LeaseTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Drives this node's part in one ticket lock. Thread-safe. */
final class TicketDriver {
    private final LockPlace place;
    private final LockWords words;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final TicketLock ticket;
    /** Guarded by lock. */
    private final Map<Long, CompletableFuture<TicketGrant>> waiting = new HashMap<>();
    /** Guarded by lock. */
    private long lastRequest;

    private final Timers.Alarm alarm;
    private final BooleanSupplier closed;

    TicketDriver(LockPlace place, LockWords words, LeaseTimes lease, Timers timers, BooleanSupplier closed) {
        this.place = place;
        this.words = words;
        this.alarm = new Timers.Alarm(timers, this::wake);
        this.closed = closed;
        this.ticket = new TicketLock(lease);
    }

    Optional<HeldLock> acquire(Duration deadline) throws InterruptedException {
        CompletableFuture<TicketGrant> granted = new CompletableFuture<>();
        long request;
        lock.lock();
        try {
            request = ++lastRequest;
            waiting.put(request, granted);
            ticket.request(request);
        } finally {
            lock.unlock();
        }
        drive();
        try {
            return Optional.of(new Lease(granted.get(deadline.toNanos(), TimeUnit.NANOSECONDS)));
        } catch (TimeoutException tooLate) {
            return giveUp(request, granted);
        } catch (InterruptedException interrupted) {
            giveUp(request, granted).ifPresent(HeldLock::close);
            throw interrupted;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a wait for a lock never fails", impossible);
        }
    }

    /** Nothing, unless the lock came at the last moment. */
    private Optional<HeldLock> giveUp(long request, CompletableFuture<TicketGrant> granted) {
        lock.lock();
        try {
            if (ticket.cancel(request)) {
                waiting.remove(request);
                return Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        return Optional.of(new Lease(granted.join()));
    }

    private final class Lease implements HeldLock {
        private final TicketGrant grant;

        Lease(TicketGrant grant) {
            this.grant = grant;
        }

        @Override
        public long token() {
            return grant.token();
        }

        @Override
        public boolean isSafe() {
            lock.lock();
            try {
                return ticket.isSafe(grant, System.nanoTime());
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                ticket.release(grant, System.nanoTime());
            } finally {
                lock.unlock();
            }
            drive();
        }
    }

    /** Does what is to be done now, and plans when to look again. */
    private void drive() {
        Map<CompletableFuture<TicketGrant>, TicketGrant> grants = new HashMap<>();
        Optional<LockOperation> operation;
        long begunNanos;
        lock.lock();
        try {
            begunNanos = System.nanoTime();
            operation = ticket.next(begunNanos);
            for (TicketGrant grant : ticket.takeGrants()) {
                grants.put(Objects.requireNonNull(waiting.remove(grant.request())), grant);
            }
            ticket.wakeNanos().ifPresent(alarm::at);
        } finally {
            lock.unlock();
        }
        grants.forEach(CompletableFuture::complete);
        operation.ifPresent(what -> words.perform(place, what, found -> done(what, found, begunNanos)));
    }

    private void done(LockOperation operation, Optional<TicketLock.Found> found, long begunNanos) {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (found.isPresent()) {
                ticket.done(operation, found.get(), begunNanos, now);
            } else {
                ticket.unknown(now);
            }
        } finally {
            lock.unlock();
        }
        drive();
    }

    private void wake() {
        if (!closed.getAsBoolean()) {
            drive();
        }
    }
}
