package dev.retier.traces.made;

import dev.retier.traces.RequestClass;

/**
 * Alternating bursts.
 *
 * @param requestsPerBurst from 1
 * @param requests of all bursts, from 1; the last burst may be shorter than the others
 * @param first class of burst 0; the others alternate
 */
public record BurstPlan(long requestsPerBurst, long requests, RequestClass first) implements Bursts {
    /** More bursts than any report can show. */
    public static final int MAX_BURSTS = 1_000_000;

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

    @Override
    public int burst(long index) {
        return (int) (index / requestsPerBurst);
    }
}
