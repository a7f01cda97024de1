package dev.retier.sim.cluster;

import dev.retier.state.MoveLease;
import dev.retier.state.NodeId;
import dev.retier.state.SiteId;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LeaseTimes;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Swap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out what {@link MoveLock} decides for one agent and one site. Not thread-safe. */
final class SiteLock {
    private final Agent agent;
    private final SiteId site;
    private final int siteIndex;
    private final MoveLock decisions;

    SiteLock(Agent agent, SiteId site, int siteIndex) {
        this.agent = agent;
        this.site = site;
        this.siteIndex = siteIndex;
        Cluster cluster = agent.cluster();
        this.decisions =
                new MoveLock(agent.id(), LeaseTimes.of(cluster.config().timing().lease()), cluster.witnesses().length);
    }

    /** How a try for the lock ended. */
    sealed interface Try {
        /** It is ours. */
        record Taken(Lease lease) implements Try {}

        /** Somebody else has it. */
        record Held(NodeId holder) implements Try {}

        /** Too few witnesses answered. */
        record Unavailable(String reason) implements Try {}
    }

    /** Takes note of a witness's word that was read on another occasion. */
    void observe(int witness, LockWord word) {
        decisions.observe(witness, word, agent.clock());
    }

    void tryAcquire(Consumer<Try> then) {
        read(words -> {
            switch (decisions.propose(words, agent.clock())) {
                case MoveLock.Proposal.Held(NodeId holder, long _) -> then.accept(new Try.Held(holder));
                case MoveLock.Proposal.TooFew(int answered, int needed) ->
                    then.accept(new Try.Unavailable(answered + " witnesses answered, " + needed + " are needed"));
                case MoveLock.Proposal.Take take -> take(take, then);
            }
        });
    }

    private void take(MoveLock.Proposal.Take take, Consumer<Try> then) {
        long postedNanos = agent.clock();
        swap(take.swaps(), replies -> {
            switch (decisions.conclude(take, replies, postedNanos, agent.clock())) {
                case MoveLock.Verdict.Won(long term, long safeUntilNanos) ->
                    then.accept(new Try.Taken(new Lease(term, safeUntilNanos)));
                case MoveLock.Verdict.Lost(Optional<LockWord> rival, List<Swap> undo) -> {
                    swap(undo, _ -> {});
                    then.accept(rival.flatMap(LockWord::holder)
                            .<Try>map(Try.Held::new)
                            .orElseGet(() -> new Try.Unavailable("a majority of the witnesses did not answer")));
                }
            }
        });
    }

    private void read(Consumer<Map<Integer, LockWord>> then) {
        int[] witnesses = agent.cluster().witnesses();
        Round<LockWord> round = new Round<>(witnesses.length, then);
        for (int witness = 0; witness < witnesses.length; witness++) {
            int index = witness;
            agent.call(witnesses[witness], slot -> slot.lock(siteIndex), word -> round.answered(index, word));
        }
        agent.later(agent.deadlineNanos(), round::end);
    }

    private void swap(List<Swap> swaps, Consumer<Map<Integer, CasReply>> then) {
        Round<CasReply> round = new Round<>(swaps.size(), then);
        for (Swap swap : swaps) {
            agent.call(
                    agent.cluster().witnesses()[swap.witness()],
                    slot -> slot.swap(siteIndex, swap),
                    reply -> round.answered(swap.witness(), reply));
        }
        if (!swaps.isEmpty()) {
            agent.later(agent.deadlineNanos(), round::end);
        }
    }

    /** The lock in one term. */
    final class Lease implements MoveLease {
        private final long term;
        private long safeUntilNanos;
        private boolean isHeld = true;

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
            return isHeld && agent.clock() - safeUntilNanos < 0;
        }

        /** In virtual time a renewal takes its time: see {@link #renew(Consumer)}. */
        @Override
        public boolean renew() {
            throw new IllegalStateException("a simulated lease is renewed with a continuation");
        }

        void renew(Consumer<Boolean> then) {
            if (!isHeld) {
                then.accept(false);
                return;
            }
            read(words -> decisions
                    .renewal(term, words)
                    .ifPresentOrElse(
                            swaps -> {
                                long postedNanos = agent.clock();
                                swap(swaps, replies -> {
                                    Optional<Long> until = decisions.renewed(replies, postedNanos);
                                    until.ifPresent(nanos -> safeUntilNanos = nanos);
                                    then.accept(until.isPresent());
                                });
                            },
                            () -> then.accept(false)));
        }

        @Override
        public void release() {
            if (isHeld) {
                isHeld = false;
                read(words -> swap(decisions.release(term, words), _ -> {}));
            }
        }
    }
}
