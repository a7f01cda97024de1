package dev.retier.state.faults;

import dev.retier.state.Fence;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LeaseTimes;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Swap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One life of one node's agent, as far as it moves others: wants the lock, fences its site, orders a role change,
 * renews, gives the lock up, and wants it again. Pauses wherever a real process can be paused. Not thread-safe.
 */
final class SimulatedMover {
    static final LeaseTimes TIMES = new LeaseTimes(300_000_000, 200_000_000);

    private static final long DEADLINE_NANOS = 30_000_000;
    private static final long LONGEST_PAUSE_NANOS = 800_000_000;
    private static final double PAUSE_SHARE = 0.05;
    private static final int MAX_RENEWALS = 6;
    private static final long LONGEST_BACK_OFF_NANOS = 40_000_000;
    private static final long PROBE_NANOS = 5_000_000;

    private final FaultSimulation world;
    private final SplittableRandom random;
    private final int self;
    private final int site;
    private final int life;
    private final MoveLock lock;

    SimulatedMover(FaultSimulation world, SplittableRandom random, int self, int site) {
        this.world = world;
        this.random = random;
        this.self = self;
        this.site = site;
        this.life = world.node(self).incarnation;
        this.lock = new MoveLock(world.node(self).id, TIMES, world.witnesses());
    }

    /** Tries for the lock after a while. */
    void start() {
        later(random.nextLong(1_000_000, LONGEST_BACK_OFF_NANOS), this::want);
    }

    private void want() {
        read(words -> {
            switch (lock.propose(words, clock())) {
                case MoveLock.Proposal.Take take -> take(take);
                case MoveLock.Proposal.Held _, MoveLock.Proposal.TooFew _ -> start();
            }
        });
    }

    private void take(MoveLock.Proposal.Take take) {
        long postedNanos = clock();
        swap(take.swaps(), replies -> {
            switch (lock.conclude(take, replies, postedNanos, clock())) {
                case MoveLock.Verdict.Won(long term, long safeUntilNanos) -> {
                    world.check(site).acquired(self, term);
                    Holding holding = new Holding(term, safeUntilNanos);
                    probe(holding);
                    fence(holding);
                }
                case MoveLock.Verdict.Lost lost -> swap(lost.undo(), _ -> start());
            }
        });
    }

    /** What a holder knows. */
    private static final class Holding {
        final long term;
        final Map<Integer, RoleWord> fenced = new HashMap<>();
        long safeUntilNanos;
        long newestEpoch;
        int renewals;
        boolean held = true;

        Holding(long term, long safeUntilNanos) {
            this.term = term;
            this.safeUntilNanos = safeUntilNanos;
        }
    }

    /** Asks all the time, so that a lease that overlaps its successor's by a moment shows. */
    private void probe(Holding holding) {
        if (isSafe(holding)) {
            later(PROBE_NANOS, () -> probe(holding));
        }
    }

    private boolean isSafe(Holding holding) {
        boolean safe = holding.held && clock() - holding.safeUntilNanos < 0;
        if (safe) {
            world.check(site).acts(self, holding.term);
        }
        return safe;
    }

    /** Fences every role word that answers; acts on none other. */
    private void fence(Holding holding) {
        if (!isSafe(holding)) {
            giveUp(holding);
            return;
        }
        for (int target = 0; target < world.size(); target++) {
            int node = target;
            world.network().call(self, node, slot -> slot.roleWord, word -> stamp(holding, node, word));
        }
        later(2 * DEADLINE_NANOS, () -> order(holding));
    }

    private void stamp(Holding holding, int node, RoleWord read) {
        RoleWord behind = read.fenced();
        Fence.Change change = new Fence.Change(read, behind);
        world.network().call(self, node, slot -> world.stamp(slot, change, site, holding.term), won -> {
            if (won) {
                holding.fenced.put(node, behind);
                holding.newestEpoch = Math.max(holding.newestEpoch, behind.epoch());
            }
        });
    }

    private void order(Holding holding) {
        List<Integer> candidates = new ArrayList<>(holding.fenced.keySet());
        if (candidates.isEmpty() || !isSafe(holding)) {
            giveUp(holding);
            return;
        }
        int victim = candidates.get(random.nextInt(candidates.size()));
        RoleWord expected = world.known(holding.fenced.get(victim));
        holding.newestEpoch = world.nextEpoch(site, holding.newestEpoch);
        RoleWord next = expected.ordered(holding.newestEpoch, expected.fence(), Role.SPARE);
        Fence.Change change = new Fence.Change(expected, next);
        pause(() -> {
            world.network().call(self, victim, slot -> world.order(slot, victim, change, site, holding.term), _ -> {});
            later(DEADLINE_NANOS, () -> renew(holding));
        });
    }

    private void renew(Holding holding) {
        if (holding.renewals++ >= random.nextInt(1, MAX_RENEWALS)) {
            giveUp(holding);
            return;
        }
        read(words -> lock.renewal(holding.term, words)
                .ifPresentOrElse(swaps -> renew(holding, swaps), () -> giveUp(holding)));
    }

    private void renew(Holding holding, List<Swap> swaps) {
        long postedNanos = clock();
        swap(swaps, replies -> {
            lock.renewed(replies, postedNanos).ifPresent(until -> holding.safeUntilNanos = until);
            if (isSafe(holding)) {
                pause(() -> later(random.nextLong(1, TIMES.safeNanos() / 2), () -> order(holding)));
            } else {
                giveUp(holding);
            }
        });
    }

    private void giveUp(Holding holding) {
        holding.held = false;
        read(words -> swap(lock.release(holding.term, words), _ -> start()));
    }

    private void read(Consumer<Map<Integer, LockWord>> then) {
        Round<LockWord> round = new Round<>(world.witnesses(), then);
        for (int witness = 0; witness < world.witnesses(); witness++) {
            int index = witness;
            world.network().call(self, witness, slot -> slot.lockWords[site], word -> round.answered(index, word));
        }
        later(DEADLINE_NANOS, round::end);
    }

    private void swap(List<Swap> swaps, Consumer<Map<Integer, CasReply>> then) {
        Round<CasReply> round = new Round<>(swaps.size(), then);
        for (Swap swap : swaps) {
            world.network()
                    .call(
                            self,
                            swap.witness(),
                            slot -> swapLock(slot, swap),
                            reply -> round.answered(swap.witness(), reply));
        }
        later(DEADLINE_NANOS, round::end);
    }

    /** Operations posted together: over when all have answered or the deadline has passed. */
    private static final class Round<T> {
        private final Map<Integer, T> answers = new HashMap<>();
        private final int expected;
        private final Consumer<Map<Integer, T>> then;
        private boolean over;

        Round(int expected, Consumer<Map<Integer, T>> then) {
            this.expected = expected;
            this.then = then;
        }

        void answered(int witness, T answer) {
            answers.putIfAbsent(witness, answer);
            if (answers.size() == expected) {
                end();
            }
        }

        void end() {
            if (!over) {
                over = true;
                then.accept(Map.copyOf(answers));
            }
        }
    }

    private CasReply swapLock(SimulatedNode slot, Swap swap) {
        if (!slot.lockWords[site].equals(swap.expected())) {
            return new CasReply.Lost(slot.lockWords[site]);
        }
        slot.lockWords[site] = swap.next();
        return new CasReply.Won();
    }

    private void pause(Runnable then) {
        later(random.nextDouble() < PAUSE_SHARE ? random.nextLong(LONGEST_PAUSE_NANOS) : 0, then);
    }

    /** Does {@code action} unless the node has died meanwhile. */
    private void later(long delayNanos, Runnable action) {
        world.time().after(delayNanos, () -> {
            SimulatedNode node = world.node(self);
            if (node.up && node.incarnation == life) {
                action.run();
            }
        });
    }

    private long clock() {
        return world.node(self).clock(world.time().nowNanos());
    }
}
