package dev.retier.sim.locks;

import dev.retier.link.LeaseTimes;
import dev.retier.state.Fence;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.lock.Attempt;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.MoveLock;
import dev.retier.state.lock.Swap;
import dev.retier.state.lock.Tenure;
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
final class SimulatedMover implements SimulatedReplicas {
    static final LeaseTimes TIMES = new LeaseTimes(300_000_000);

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
        this.lock = new MoveLock(world.node(self).id, _ -> true, TIMES, world.witnesses());
    }

    /** Tries for the lock after a while. */
    void start() {
        later(random.nextLong(1_000_000, LONGEST_BACK_OFF_NANOS), this::want);
    }

    private void want() {
        carryOut(lock.acquire(), attempt -> {
            if (attempt instanceof Attempt.Taken(Tenure tenure)) {
                world.check(site).acquired(self, tenure.term());
                Holding holding = new Holding(tenure);
                probe(holding);
                fence(holding);
            } else {
                start();
            }
        });
    }

    /** What a holder knows. */
    private static final class Holding {
        final Tenure tenure;
        final Map<Integer, RoleWord> fenced = new HashMap<>();
        long newestEpoch;
        int renewals;

        Holding(Tenure tenure) {
            this.tenure = tenure;
        }
    }

    /** Asks all the time, so that a lease that overlaps its successor's by a moment shows. */
    private void probe(Holding holding) {
        if (isSafe(holding)) {
            later(PROBE_NANOS, () -> probe(holding));
        }
    }

    private boolean isSafe(Holding holding) {
        boolean safe = holding.tenure.isSafe(clock());
        if (safe) {
            world.check(site).acts(self, holding.tenure.term());
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
        world.network().call(self, node, slot -> world.stamp(slot, change, site, holding.tenure.term()), won -> {
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
            world.network()
                    .call(
                            self,
                            victim,
                            slot -> world.order(slot, victim, change, site, holding.tenure.term()),
                            _ -> {});
            later(DEADLINE_NANOS, () -> renew(holding));
        });
    }

    private void renew(Holding holding) {
        if (holding.renewals++ >= random.nextInt(1, MAX_RENEWALS)) {
            giveUp(holding);
            return;
        }
        carryOut(holding.tenure.renew(), _ -> {
            if (isSafe(holding)) {
                pause(() -> later(random.nextLong(1, TIMES.safeNanos() / 2), () -> order(holding)));
            } else {
                giveUp(holding);
            }
        });
    }

    private void giveUp(Holding holding) {
        carryOut(holding.tenure.release(), _ -> start());
    }

    @Override
    public int witnesses() {
        return world.witnesses();
    }

    @Override
    public void read(int witness, Consumer<LockWord> answered) {
        world.network().call(self, witness, slot -> slot.lockWords[site], answered);
    }

    @Override
    public void swap(Swap swap, Consumer<CasReply> answered) {
        world.network().call(self, swap.witness(), slot -> swapLock(slot, swap), answered);
    }

    @Override
    public void atDeadline(Runnable over) {
        later(DEADLINE_NANOS, over);
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

    @Override
    public long clock() {
        return world.node(self).clock(world.time().nowNanos());
    }
}
