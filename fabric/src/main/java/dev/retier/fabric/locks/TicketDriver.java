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
import java.util.function.BooleanSupplier;

/** Drives this node's part in one ticket lock. Thread-safe. */
final class TicketDriver {
    private final LockPlace place;
    private final LockWords words;
    /** Guarded by this. */
    private final TicketLock ticket;
    /** Guarded by this. */
    private final Map<Long, CompletableFuture<TicketGrant>> waiting = new HashMap<>();
    /** Guarded by this. */
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
        synchronized (this) {
            request = ++lastRequest;
            waiting.put(request, granted);
            ticket.request(request);
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
        synchronized (this) {
            if (ticket.cancel(request)) {
                waiting.remove(request);
                return Optional.empty();
            }
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
            synchronized (TicketDriver.this) {
                return ticket.isSafe(grant, System.nanoTime());
            }
        }

        @Override
        public void close() {
            synchronized (TicketDriver.this) {
                ticket.release(grant, System.nanoTime());
            }
            drive();
        }
    }

    /** Does what is to be done now, and plans when to look again. */
    private void drive() {
        Map<CompletableFuture<TicketGrant>, TicketGrant> grants = new HashMap<>();
        Optional<LockOperation> operation;
        long begunNanos;
        synchronized (this) {
            begunNanos = System.nanoTime();
            operation = ticket.next(begunNanos);
            for (TicketGrant grant : ticket.takeGrants()) {
                grants.put(Objects.requireNonNull(waiting.remove(grant.request())), grant);
            }
            ticket.wakeNanos().ifPresent(alarm::at);
        }
        grants.forEach(CompletableFuture::complete);
        operation.ifPresent(what -> words.perform(place, what, found -> done(what, found, begunNanos)));
    }

    private void done(LockOperation operation, Optional<TicketLock.Found> found, long begunNanos) {
        synchronized (this) {
            long now = System.nanoTime();
            found.ifPresentOrElse(seen -> ticket.done(operation, seen, begunNanos, now), () -> ticket.unknown(now));
        }
        drive();
    }

    private void wake() {
        if (!closed.getAsBoolean()) {
            drive();
        }
    }
}
