package dev.retier.sim.locks;

import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.lock.LockWord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A node's slot as far as the move lock touches it, and its clock. Fields are the simulation's own. */
final class SimulatedNode {
    private static final long NANOS_PER_BOOT_UNIT = 1_000_000;

    final NodeId id;
    /** How fast its clock runs: 1 is true time. */
    final double clockRate;

    private final Map<Integer, Integer> callers = new HashMap<>();

    boolean up = true;
    int incarnation;
    final LockWord[] lockWords;
    RoleWord roleWord = RoleWord.active(0, 0, Role.SPARE);
    /** What a restart finds. */
    RoleWord journalled = roleWord;
    /** For each site, the highest term whose holder has fenced the role word of this incarnation. */
    final long[] fencedTerms;

    SimulatedNode(NodeId id, double clockRate, int sites) {
        this.id = id;
        this.clockRate = clockRate;
        this.lockWords = new LockWord[sites];
        this.fencedTerms = new long[sites];
        Arrays.fill(lockWords, LockWord.atBoot(id, 0));
    }

    /** Whether an operation of that life of {@code caller} still counts: the newest connection ends the older ones. */
    boolean hears(int caller, int life) {
        int newest = callers.merge(caller, life, Math::max);
        return life == newest;
    }

    long clock(long trueNanos) {
        return (long) (trueNanos * clockRate);
    }

    void crash() {
        up = false;
        incarnation++;
    }

    /** Memory is gone: the role word comes from the journal, the lock words say only when this life began. */
    void restart(long trueNanos) {
        up = true;
        Arrays.fill(lockWords, LockWord.atBoot(id, trueNanos / NANOS_PER_BOOT_UNIT));
        Arrays.fill(fencedTerms, 0);
        roleWord = journalled.atBoot(trueNanos / NANOS_PER_BOOT_UNIT);
    }
}
