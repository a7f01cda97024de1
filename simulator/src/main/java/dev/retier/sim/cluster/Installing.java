package dev.retier.sim.cluster;

import dev.retier.agent.config.ServerKind;
import java.util.SplittableRandom;

/** How long one server takes to run a file that is put where it finds it, by its kind. Not thread-safe. */
final class Installing {
    private final ServerKind kind;
    private final Delays delays;
    private final SplittableRandom random;

    Installing(ServerKind kind, Delays delays, long seed) {
        this.kind = kind;
        this.delays = delays;
        this.random = new SplittableRandom(seed);
    }

    /** How long after {@code nowNanos} it runs it. */
    long untilApplied(boolean isOtherRole, long nowNanos) {
        if (!kind.isReloaded()) {
            return delays.fileLookNanos() - nowNanos % delays.fileLookNanos();
        }
        if (!isOtherRole && kind.changesMembersAtRunTime()) {
            return delays.membersNanos();
        }
        long spread = delays.role().spreadNanos();
        return delays.role().nanos() + (spread == 0 ? 0 : random.nextLong(-spread, spread + 1));
    }
}
