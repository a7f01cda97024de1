package dev.retier.link.core;

import java.util.random.RandomGenerator;

/** How long to wait before the next try to connect: doubles with each failure, with jitter. Not thread-safe. */
public final class Backoff {
    private static final long FIRST_NANOS = 50_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;
    private static final int MAX_DOUBLINGS = 5;

    private final RandomGenerator random;
    private int failures;

    /** No failure yet. */
    public Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** The wait after one more failure: 75 to 125 % of the doubled one, about a second at most. */
    public long afterFailureNanos() {
        long full = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, MAX_DOUBLINGS));
        failures++;
        return full - full / 4 + random.nextLong(full / 2);
    }

    /** The next failure is the first again. */
    public void succeeded() {
        failures = 0;
    }
}
