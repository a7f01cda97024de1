package dev.retier.load.trace;

/**
 * Alternating bursts.
 *
 * @param requestsPerBurst from 1
 * @param bursts how many, 1..{@link #MAX_BURSTS}
 * @param first class of burst 0; the others alternate
 */
public record BurstPlan(long requestsPerBurst, int bursts, RequestClass first) {
    /** More bursts than any report can show. */
    public static final int MAX_BURSTS = 1_000_000;

    /** Trace time of generated traces: a closed loop does not look at it. */
    static final long NOMINAL_REQUESTS_PER_SECOND = 1000;

    /** Checks the ranges. */
    public BurstPlan {
        if (requestsPerBurst < 1 || bursts < 1 || bursts > MAX_BURSTS) {
            throw new IllegalArgumentException("bursts: " + bursts + " of " + requestsPerBurst
                    + " requests; both must be at least 1, and at most " + MAX_BURSTS + " bursts");
        }
        Math.multiplyExact(requestsPerBurst, bursts);
    }

    /** Requests in the whole trace. */
    public long requests() {
        return requestsPerBurst * bursts;
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
