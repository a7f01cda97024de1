package dev.retier.agent.config;

import java.time.Duration;

/**
 * How long each phase of a move may take.
 *
 * @param upstreamDeadline until the upstream nodes must have left the node out; then the move rolls back
 * @param drainDeadline until no request may come to the node any more; then the move goes on, whatever still comes
 * @param quietTime how long no request may have come before the node counts as drained
 * @param switchDeadline until the server must have applied the new role; then the move rolls back
 * @param proveDeadline until the request to itself must be answered; then the move rolls back
 * @param slowStart how long a node that joins a tier is given less than its share; zero for no such time
 */
public record MoveRules(
        Duration upstreamDeadline,
        Duration drainDeadline,
        Duration quietTime,
        Duration switchDeadline,
        Duration proveDeadline,
        Duration slowStart) {
    /**
     * For web-nodes; servers that are reloaded need longer, see {@link ClusterConfig#parse}. A drain of 30 s is what
     * the peers use; the other steps take milliseconds when all is well.
     */
    public static final MoveRules DEFAULTS = new MoveRules(
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMillis(40),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ZERO);

    /** The longest that a move and its rollback may take together. */
    public Duration total() {
        return upstreamDeadline
                .plus(drainDeadline)
                .plus(switchDeadline.multipliedBy(2))
                .plus(proveDeadline)
                .plusSeconds(1);
    }

    /** The same with another drain deadline. */
    public MoveRules withDrainDeadline(Duration other) {
        return new MoveRules(upstreamDeadline, other, quietTime, switchDeadline, proveDeadline, slowStart);
    }

    /** The same with another time of less than its share for a node that joins. */
    public MoveRules withSlowStart(Duration other) {
        return new MoveRules(upstreamDeadline, drainDeadline, quietTime, switchDeadline, proveDeadline, other);
    }
}
