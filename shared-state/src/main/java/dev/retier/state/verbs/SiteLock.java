package dev.retier.state.verbs;

import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.SiteId;
import dev.retier.state.StateMetric;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LeaseTimes;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Swap;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Carries out what {@link MoveLock} decides for one site. Thread-safe. */
final class SiteLock {
    private final SiteId site;
    private final Witnesses witnesses;
    private final Counters counters;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final MoveLock decisions;

    SiteLock(SharedStateConfig config, SiteId site, Witnesses witnesses, Counters counters) {
        this.counters = counters;
        this.site = site;
        this.witnesses = witnesses;
        this.decisions = new MoveLock(
                config.self(), LeaseTimes.of(config.lease()), config.witnesses().size());
    }

    /** Takes note of a witness's slot that was read on another occasion; skips it while an acquisition is under way. */
    void observe(int witness, MemorySegment slot) {
        if (lock.tryLock()) {
            try {
                long word = slot.get(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(site));
                decisions.observe(witness, LockWord.decode(word), System.nanoTime());
            } finally {
                lock.unlock();
            }
        }
    }

    LockOutcome tryAcquire() {
        lock.lock();
        try {
            return switch (decisions.propose(witnesses.read(site), System.nanoTime())) {
                case MoveLock.Proposal.Held(var holder, long term) -> new LockOutcome.Held(holder, term);
                case MoveLock.Proposal.TooFew(int answered, int needed) -> tooFew(answered, needed);
                case MoveLock.Proposal.Take take -> take(take);
            };
        } finally {
            lock.unlock();
        }
    }

    private LockOutcome take(MoveLock.Proposal.Take take) {
        long postedNanos = System.nanoTime();
        Map<Integer, CasReply> replies = witnesses.swap(site, take.swaps());
        return switch (decisions.conclude(take, replies, postedNanos, System.nanoTime())) {
            case MoveLock.Verdict.Won(long term, long safeUntilNanos) -> {
                counters.count(StateMetric.LOCKS_TAKEN);
                yield new LockOutcome.Acquired(new Lease(term, safeUntilNanos));
            }
            case MoveLock.Verdict.Lost(Optional<LockWord> rival, List<Swap> undo) -> {
                witnesses.swap(site, undo);
                yield rival.<LockOutcome>flatMap(
                                word -> word.holder().map(holder -> new LockOutcome.Held(holder, word.term())))
                        .orElseGet(() -> new LockOutcome.Unavailable("a majority of the witnesses did not answer"));
            }
        };
    }

    private static LockOutcome tooFew(int answered, int needed) {
        return new LockOutcome.Unavailable(answered + " witnesses answered, " + needed + " are needed");
    }

    private Optional<Long> renew(long term) {
        lock.lock();
        try {
            return decisions.renewal(term, witnesses.read(site)).flatMap(swaps -> {
                long postedNanos = System.nanoTime();
                return decisions.renewed(witnesses.swap(site, swaps), postedNanos);
            });
        } finally {
            lock.unlock();
        }
    }

    private void release(long term) {
        lock.lock();
        try {
            witnesses.swap(site, decisions.release(term, witnesses.read(site)));
        } finally {
            lock.unlock();
        }
    }

    /** The lock of this site in one term. */
    private final class Lease implements MoveLease {
        private final long term;
        private long safeUntilNanos;
        private boolean held = true;

        Lease(long term, long safeUntilNanos) {
            this.term = term;
            this.safeUntilNanos = safeUntilNanos;
        }

        @Override
        public SiteId site() {
            return site;
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        public boolean isSafe() {
            return held && System.nanoTime() - safeUntilNanos < 0;
        }

        @Override
        public boolean renew() {
            if (!held) {
                return false;
            }
            Optional<Long> renewed = SiteLock.this.renew(term);
            renewed.ifPresent(until -> safeUntilNanos = until);
            return renewed.isPresent();
        }

        @Override
        public void release() {
            if (held) {
                held = false;
                SiteLock.this.release(term);
            }
        }
    }
}
