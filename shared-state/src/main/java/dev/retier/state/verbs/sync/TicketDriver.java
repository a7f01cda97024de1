package dev.retier.state.verbs.sync;

import dev.retier.state.sync.Grant;
import dev.retier.state.sync.LeaseRule;
import dev.retier.state.sync.TicketLock;
import dev.retier.state.sync.WordOperation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/** Drives this node's part in one ticket lock. Thread-safe. */
final class TicketDriver {
    private final LockPlace place;
    private final LockWords words;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final TicketLock ticket;
    /** Guarded by lock. */
    private final Map<Long, CompletableFuture<Grant>> waiting = new HashMap<>();
    /** Guarded by lock. */
    private long lastRequest;
    /** Guarded by lock: when the timer will look again; nothing is planned if that is past. */
    private long plannedNanos;

    /** Guarded by lock. */
    private boolean planned;

    TicketDriver(LockPlace place, LockWords words, LeaseRule rule, ScheduledExecutorService timer) {
        this.place = place;
        this.words = words;
        this.timer = timer;
        this.ticket = new TicketLock(rule);
    }

    Optional<Held> acquire(Duration deadline) throws InterruptedException {
        CompletableFuture<Grant> granted = new CompletableFuture<>();
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
            giveUp(request, granted).ifPresent(Held::close);
            throw interrupted;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a wait for a lock never fails", impossible);
        }
    }

    /** Nothing, unless the lock came at the last moment. */
    private Optional<Held> giveUp(long request, CompletableFuture<Grant> granted) {
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

    private final class Lease implements Held {
        private final Grant grant;

        Lease(Grant grant) {
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
        Map<CompletableFuture<Grant>, Grant> grants = new HashMap<>();
        Optional<WordOperation> operation;
        long begunNanos;
        lock.lock();
        try {
            begunNanos = System.nanoTime();
            operation = ticket.next(begunNanos);
            for (Grant grant : ticket.takeGrants()) {
                grants.put(Objects.requireNonNull(waiting.remove(grant.request())), grant);
            }
            ticket.wakeNanos().ifPresent(wake -> plan(wake, begunNanos));
        } finally {
            lock.unlock();
        }
        grants.forEach(CompletableFuture::complete);
        operation.ifPresent(what -> words.perform(place, what, found -> done(what, found, begunNanos)));
    }

    private void done(WordOperation operation, Optional<TicketLock.Found> found, long begunNanos) {
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

    private void plan(long wake, long nowNanos) {
        if (planned && plannedNanos - wake <= 0) {
            return;
        }
        planned = true;
        plannedNanos = wake;
        var _ = timer.schedule(this::wake, Math.max(0, wake - nowNanos), TimeUnit.NANOSECONDS);
    }

    private void wake() {
        lock.lock();
        try {
            planned = planned && plannedNanos - System.nanoTime() > 0;
        } finally {
            lock.unlock();
        }
        drive();
    }
}
