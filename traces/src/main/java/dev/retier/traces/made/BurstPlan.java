package dev.retier.traces.made;

import dev.retier.traces.RequestClass;

/**
 * Alternating bursts.
 *
 * @param requestsPerBurst from 1
 * @param requests of all bursts, from 1; the last burst may be shorter than the others
 * @param first class of burst 0; the others alternate
 */
public record BurstPlan(long requestsPerBurst, long requests, RequestClass first) {
    /** More bursts than any report can show. */
    public static final int MAX_BURSTS = 1_000_000;

    /** Trace time of generated traces: a closed loop does not look at it. */
    static final long NOMINAL_REQUESTS_PER_SECOND = 1000;

    /** Checks the ranges. */
    public BurstPlan {
        if (requestsPerBurst < 1 || requests < 1 || (requests - 1) / requestsPerBurst >= MAX_BURSTS) {
            throw new IllegalArgumentException(requests + " requests in bursts of " + requestsPerBurst
                    + "; both must be at least 1, and at most " + MAX_BURSTS + " bursts");
        }
    }

    /**
     * Whole bursts.
     *
     * @param requestsPerBurst from 1
     * @param bursts how many, 1..{@link #MAX_BURSTS}
     * @param first class of burst 0; the others alternate
     */
    public static BurstPlan of(long requestsPerBurst, long bursts, RequestClass first) {
        return new BurstPlan(requestsPerBurst, Math.multiplyExact(requestsPerBurst, bursts), first);
    }

    RequestClass classOf(int burst) {
        boolean asFirst = burst % 2 == 0;
        return switch (first) {
            case STATIC -> asFirst ? RequestClass.STATIC : RequestClass.DYNAMIC;
            case DYNAMIC -> asFirst ? RequestClass.DYNAMIC : RequestClass.STATIC;
        };
    }

    long offsetNanos(long index) {
        return index * (1_000_000_000L / NOMINAL_REQUESTS_PER_SECOND);
    }
}
