package dev.retier.agent.decide;

import dev.retier.link.NodeId;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the pressure of one tier has gone on until now. Two flags and two times stand for all samples since the last
 * break, so the memory does not grow with T.
 *
 * @param members the nodes that serve in it
 * @param membersSinceNanos when that set came to be
 * @param pressure of the known ones at the newest sample, in [0,1]; see {@link Pressure}
 * @param weights what each known one can do, in units that compare within the tier, above 0
 * @param direction what all samples since {@code directionSinceNanos} have in common
 * @param directionSinceNanos time of the first sample of the present direction
 * @param isFresh whether the newest sample was taken after the members had settled
 * @param missing how many members it lacks that it must have, see {@link TierSample}
 */
public record TierTrend(
        Set<NodeId> members,
        long membersSinceNanos,
        double pressure,
        Map<NodeId, Double> weights,
        Direction direction,
        long directionSinceNanos,
        boolean isFresh,
        int missing) {

    /** On which side of the take threshold the pressure of the tier is. */
    public enum Direction {
        /** Nothing is known of it. */
        UNKNOWN,
        /** At or below the threshold. */
        CALM,
        /** Above the threshold. */
        PRESSED
    }

    /** Keeps its own copies. */
    public TierTrend {
        members = Set.copyOf(members);
        weights = Collections.unmodifiableMap(new TreeMap<>(weights)); // in order: sums are then the same everywhere
    }

    /** How many members are known. */
    public int known() {
        return weights.size();
    }

    /** What the known members can do together. */
    double capacity() {
        return weights.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** What the known members can do together once {@code node} has gone. */
    double capacityWithout(NodeId node) {
        return Math.max(0, capacity() - weights.getOrDefault(node, 0.0));
    }

    /** Its pressure once {@code node} has gone; above 1 when the others cannot do all of its work. */
    double pressureWithout(NodeId node) {
        double remaining = capacityWithout(node);
        return remaining > 0 ? pressure * capacity() / remaining : Double.POSITIVE_INFINITY;
    }

    /** Whether it has fewer members than its minimum. */
    boolean isBelowMinimum() {
        return missing > 0;
    }

    boolean isPressed() {
        return direction == Direction.PRESSED;
    }

    /** Whether it has been above the threshold without a break for {@code historyNanos}. */
    boolean isPressedFor(long historyNanos, long nowNanos) {
        return isPressed() && nowNanos - directionSinceNanos >= historyNanos;
    }
}
