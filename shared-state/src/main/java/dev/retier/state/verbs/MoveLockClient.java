package dev.retier.state.verbs;

import dev.retier.link.LeaseTimes;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.SiteId;
import dev.retier.state.StateMetric;
import dev.retier.state.lock.Attempt;
import dev.retier.state.lock.LockStep;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Tenure;
import java.util.concurrent.locks.ReentrantLock;

/** Carries out what {@link MoveLock} decides for one site. Thread-safe. */
final class MoveLockClient {
    private final Local local;
    private final SiteId site;
    private final Witnesses witnesses;
    private final ReentrantLock lock = new ReentrantLock();
    /** Changes under the lock alone; a {@link Tenure} that it gives belongs to the thread that took the lock. */
    private final MoveLock decisions;

    MoveLockClient(Local local, SiteId site, Witnesses witnesses) {
        this.local = local;
        this.site = site;
        this.witnesses = witnesses;
        SharedStateConfig config = local.config();
        this.decisions = new MoveLock(
                config.self(),
                config.peers()::containsKey,
                LeaseTimes.of(config.lease()),
                config.witnesses().size());
    }

    /** Takes note of a witness's word that was read on another occasion; skips it while an operation is under way. */
    void observe(int witness, LockWord word) {
        if (lock.tryLock()) {
            try {
                decisions.observe(witness, word, local.nowNanos());
            } finally {
                lock.unlock();
            }
        }
        decisions
                .flaw(word)
                .ifPresent(flaw -> local.complain(
                        StateMetric.LOCK_WORDS_REFUSED, "does not believe a lock word of " + site + ": " + flaw));
    }

    LockOutcome tryAcquire() {
        return switch (carryOut(decisions.acquire())) {
            case Attempt.Taken(Tenure tenure) -> {
                local.counters().count(StateMetric.LOCKS_TAKEN);
                yield new LockOutcome.Acquired(new Lease(this, tenure));
            }
            case Attempt.Occupied(var holder, long term) -> new LockOutcome.Held(holder, term);
            case Attempt.Unavailable(String reason) -> new LockOutcome.Unavailable(reason);
        };
    }

    long highestTerm() {
        lock.lock();
        try {
            return decisions.highestTerm();
        } finally {
            lock.unlock();
        }
    }

    private <R> R carryOut(LockStep<R> first) {
        lock.lock();
        try {
            LockStep<R> step = first;
            while (true) {
                switch (step) {
                    case LockStep.Read<R>(var next) -> step = next.after(witnesses.read(site), local.nowNanos());
                    case LockStep.Exchange<R>(var swaps, var next) ->
                        step = next.after(witnesses.swap(site, swaps), local.nowNanos());
                    case LockStep.Ended<R>(R result) -> {
                        return result;
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The lock of this site in one term. */
    private record Lease(MoveLockClient client, Tenure tenure) implements MoveLease {
        @Override
        public long term() {
            return tenure.term();
        }

        @Override
        public boolean isSafe() {
            return tenure.isSafe(client.local.nowNanos());
        }

        @Override
        public boolean renew() {
            return client.carryOut(tenure.renew());
        }

        @Override
        public void release() {
            client.carryOut(tenure.release());
        }
    }
}
