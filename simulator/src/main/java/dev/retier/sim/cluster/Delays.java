package dev.retier.sim.cluster;

import dev.retier.agent.config.ServerKind;
import java.time.Duration;

/**
 * How long things take that are not computed. The defaults are what was measured with real parts.
 *
 * @param hopNanos one way of a one-sided operation
 * @param journalNanos until an order is on disk
 * @param proveNanos of a node's request to itself
 * @param edgeNanos from a look that shows other targets until the clients follow
 * @param fileLookNanos how often a web-node looks at its file
 * @param reloadNanos until a reloaded server runs another role
 * @param membersNanos until a reloaded server has other members
 */
public record Delays(
        long hopNanos,
        long journalNanos,
        long proveNanos,
        long edgeNanos,
        long fileLookNanos,
        long reloadNanos,
        long membersNanos) {
    /**
     * A look at six others takes 241 us, taking and giving back a lock four times that (docs/results/state.md); a
     * web-node looks every 20 ms; httpd changes its role in 0.66 s without losing a request, its members in 41-74 ms.
     */
    public static final Delays MEASURED = new Delays(
            nanos(Duration.ofNanos(110_000)),
            nanos(Duration.ofMillis(2)),
            nanos(Duration.ofMillis(3)),
            nanos(Duration.ofMillis(1)),
            nanos(Duration.ofMillis(20)),
            nanos(Duration.ofMillis(600)),
            nanos(Duration.ofMillis(60)));

    private static long nanos(Duration duration) {
        return duration.toNanos();
    }

    /** How long after {@code nowNanos} a server of that kind runs a new file. */
    long untilApplied(ServerKind kind, boolean isOtherRole, long nowNanos) {
        if (!kind.isReloaded()) {
            return fileLookNanos - nowNanos % fileLookNanos;
        }
        return isOtherRole || !kind.changesMembersAtRunTime() ? reloadNanos : membersNanos;
    }
}
