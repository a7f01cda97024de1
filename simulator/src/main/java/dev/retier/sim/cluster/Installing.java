package dev.retier.sim.cluster;

import dev.retier.agent.config.ServerKind;
import java.util.SplittableRandom;

/** How long one server takes to run a file that is put where it finds it, by its kind. Not thread-safe. */
final class Installing {
    private final ServerKind kind;
    private final Delays delays;
    private final SplittableRandom random;
    private long restedNanos;

    Installing(ServerKind kind, Delays delays, long seed) {
        this.kind = kind;
        this.delays = delays;
        this.random = new SplittableRandom(seed);
    }

    /** How long after {@code nowNanos} it runs it; a reload begins when the one before has ended and rested. */
    long untilApplied(boolean isOtherRole, long nowNanos) {
        if (!kind.isReloaded()) {
            return delays.fileLookNanos() - nowNanos % delays.fileLookNanos();
        }
        if (!isOtherRole && kind.changesMembersAtRunTime()) {
            return delays.membersNanos();
        }
        Delays.Reload reload = delays.reload();
        long spread = reload.spreadNanos() == 0 ? 0 : random.nextLong(-reload.spreadNanos(), reload.spreadNanos() + 1);
        long begunNanos = reload.restNanos() == 0 ? nowNanos : Math.max(nowNanos, restedNanos);
        long endNanos = begunNanos + reload.nanos() + spread;
        restedNanos = endNanos + reload.restNanos();
        return endNanos - nowNanos;
    }
}
