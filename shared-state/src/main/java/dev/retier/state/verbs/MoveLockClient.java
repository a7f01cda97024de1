package dev.retier.state.verbs;

import dev.retier.link.Counters;
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
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link MoveLock} decides for one site. Thread-safe. */
final class MoveLockClient {
    private static final Logger LOG = LoggerFactory.getLogger(MoveLockClient.class);

    private final SiteId site;
    private final Witnesses witnesses;
    private final Counters counters;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock, as what it makes is. */
    private final MoveLock decisions;

    MoveLockClient(SharedStateConfig config, SiteId site, Witnesses witnesses, Counters counters, LongSupplier clock) {
        this.counters = counters;
        this.site = site;
        this.witnesses = witnesses;
        this.clock = clock;
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
                decisions.observe(witness, word, clock.getAsLong());
            } finally {
                lock.unlock();
            }
        }
        decisions.flaw(word).ifPresent(flaw -> {
            counters.count(StateMetric.LOCK_WORDS_REFUSED);
            if (counters.isNews(site + " " + flaw)) {
                LOG.warn("does not believe a lock word of {}: {}", site, flaw);
            }
        });
    }

    LockOutcome tryAcquire() {
        return switch (carryOut(decisions.acquire())) {
            case Attempt.Taken(Tenure tenure) -> {
                counters.count(StateMetric.LOCKS_TAKEN);
                yield new LockOutcome.Acquired(new Lease(tenure));
            }
            case Attempt.Occupied(var holder, long term) -> new LockOutcome.Held(holder, term);
            case Attempt.Unavailable(String reason) -> new LockOutcome.Unavailable(reason);
        };
    }

    private <R> R carryOut(LockStep<R> first) {
        lock.lock();
        try {
            LockStep<R> step = first;
            while (true) {
                switch (step) {
                    case LockStep.Read<R>(var next) -> step = next.after(witnesses.read(site), clock.getAsLong());
                    case LockStep.Exchange<R>(var swaps, var next) ->
                        step = next.after(witnesses.swap(site, swaps), clock.getAsLong());
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
    private final class Lease implements MoveLease {
        private final Tenure tenure;

        Lease(Tenure tenure) {
            this.tenure = tenure;
        }

        @Override
        public SiteId site() {
            return site;
        }

        @Override
        public long term() {
            return tenure.term();
        }

        @Override
        public boolean isSafe() {
            return tenure.isSafe(clock.getAsLong());
        }

        @Override
        public boolean renew() {
            return carryOut(tenure.renew());
        }

        @Override
        public void release() {
            carryOut(tenure.release());
        }
    }
}
