package dev.retier.agent.decide;

import java.time.Duration;

/**
 * The orders of one node that were undone since a move of it succeeded last. The node rests after each, four times as
 * long as after the one before, so that other nodes are tried: a node that cannot move takes up little of its site's
 * time, and one that is mended is found out by itself. A value.
 *
 * @param inARow how many, at least 1
 * @param lastNanos monotonic time at which the newest was seen undone
 */
record UndoneOrders(int inARow, long lastNanos) {
    /** No rest is longer: after whatever else has failed, each node is tried once an hour. */
    static final Duration LONGEST_REST = Duration.ofHours(1);

    private static final long GROWTH = 4;

    static UndoneOrders first(long nowNanos) {
        return new UndoneOrders(1, nowNanos);
    }

    /** After one more. */
    UndoneOrders more(long nowNanos) {
        return new UndoneOrders(inARow + 1, nowNanos);
    }

    /**
     * How long the node rests after {@code inARow} orders that were undone: after the first as long as one move may
     * take, so that it is out of service for less than half of its time.
     */
    static Duration rest(int inARow, Policy policy) {
        long nanos = policy.longestMove().toNanos();
        long longest = Math.max(nanos, LONGEST_REST.toNanos());
        for (int order = 1; order < inARow && nanos < longest; order++) {
            nanos *= GROWTH;
        }
        return Duration.ofNanos(Math.min(nanos, longest));
    }

    /** How long it still rests; zero or less when it may be tried again. */
    long leftNanos(Policy policy, long nowNanos) {
        return rest(inARow, policy).toNanos() - (nowNanos - lastNanos);
    }
}
