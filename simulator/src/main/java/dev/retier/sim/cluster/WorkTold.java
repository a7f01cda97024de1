package dev.retier.sim.cluster;

import java.util.SplittableRandom;

/**
 * What a server's status tells of the time that it has worked: of the newest up to a lag it says nothing yet, at
 * random, and it never takes anything back. Not thread-safe.
 */
final class WorkTold {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double lagSeconds;
    private final SplittableRandom random;
    private double told;

    /** With a lag of 0 it tells all. */
    WorkTold(long lagNanos, long seed) {
        this.lagSeconds = lagNanos / NANOS_PER_SECOND;
        this.random = new SplittableRandom(seed);
    }

    /** The server has started again and so worked for this long, all of which is told. */
    void restart(double workedSeconds) {
        told = workedSeconds;
    }

    /** What is told when it has worked for {@code workedSeconds}, never less than before. */
    double after(double workedSeconds) {
        told = lagSeconds > 0 ? Math.max(told, workedSeconds - lagSeconds * random.nextDouble()) : workedSeconds;
        return told;
    }
}
