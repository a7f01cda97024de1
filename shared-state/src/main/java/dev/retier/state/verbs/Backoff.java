package dev.retier.state.verbs;

import java.util.SplittableRandom;

/** How long to wait before the next try to connect: doubles with each failure, with jitter. Not thread-safe. */
final class Backoff {
    private static final long FIRST_NANOS = 50_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;
    private static final int MAX_DOUBLINGS = 5;

    private final SplittableRandom random;
    private int failures;

    Backoff(SplittableRandom random) {
        this.random = random;
    }

    /** The wait after one more failure: 75 to 125 % of the doubled one, about a second at most. */
    long afterFailureNanos() {
        long full = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, MAX_DOUBLINGS));
        failures++;
        return full - full / 4 + random.nextLong(full / 2);
    }

    void succeeded() {
        failures = 0;
    }
}
