package dev.retier.agent.decide;

import dev.retier.state.NodeId;
import java.util.Set;

/**
 * How the pressure of one tier has gone on until now. Two flags and two times stand for all samples since the last
 * break, so the memory does not grow with T.
 *
 * @param members the nodes that serve in it
 * @param membersSinceNanos when that set came to be
 * @param known how many of them are known
 * @param mean their mean utilisation at the newest sample, in [0,1]
 * @param capacity capacity units per second of the known ones
 * @param direction what all samples since {@code directionSinceNanos} have in common
 * @param directionSinceNanos time of the first sample of the present direction
 * @param isFresh whether the newest sample was taken after the members had settled
 * @param isBelowMinimum whether it has fewer members than its minimum
 */
public record TierTrend(
        Set<NodeId> members,
        long membersSinceNanos,
        int known,
        double mean,
        double capacity,
        Direction direction,
        long directionSinceNanos,
        boolean isFresh,
        boolean isBelowMinimum) {

    /** On which side of the take threshold the tier is. */
    public enum Direction {
        /** Nothing is known of it. */
        UNKNOWN,
        /** At or below the threshold. */
        CALM,
        /** Above the threshold. */
        PRESSED
    }

    /** Keeps its own copy of the set. */
    public TierTrend {
        members = Set.copyOf(members);
    }

    boolean isPressed() {
        return direction == Direction.PRESSED;
    }

    /** Whether it has been above the threshold without a break for {@code historyNanos}. */
    boolean isPressedFor(long historyNanos, long nowNanos) {
        return isPressed() && nowNanos - directionSinceNanos >= historyNanos;
    }

    /** Whether it has been at or below the threshold without a break for {@code historyNanos}. */
    boolean isCalmFor(long historyNanos, long nowNanos) {
        return direction == Direction.CALM && nowNanos - directionSinceNanos >= historyNanos;
    }
}
