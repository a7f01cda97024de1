package dev.retier.bench;

import java.time.Duration;

/**
 * Which rounds of a measurement count. A round in which other processes took more than {@link #MOST_OTHERS} of the
 * machine is disturbed. It is repeated until all that was repeated took as long as the patience; from then on disturbed
 * rounds count, and what they say is undecided. Reads no clock. Not thread-safe.
 */
final class RoundRule {
    /** The share of all processors that others may have. */
    static final double MOST_OTHERS = 0.10;

    private final Duration patience;
    private long repeatedNanos;
    private int repeated;

    /** What becomes of a round. */
    enum Fate {
        /** It counts. */
        COUNTS,
        /** It does not count; another one takes its place. */
        REPEATED
    }

    /**
     * A rule under which nothing was judged yet.
     *
     * @param patience as long as rounds that do not count may take, all of them together; zero: all rounds count
     */
    RoundRule(Duration patience) {
        this.patience = patience;
    }

    /**
     * Judges one round. It is not repeated if another one, taking as long, would exceed the patience.
     *
     * @param othersShare what other processes took of the machine meanwhile, 0 to 1; NaN, which disturbs nothing, where
     *     the system does not tell
     * @param tookNanos how long the round took
     */
    Fate judge(double othersShare, long tookNanos) {
        if (!isDisturbed(othersShare) || repeatedNanos + tookNanos > patience.toNanos()) {
            return Fate.COUNTS;
        }
        repeatedNanos += tookNanos;
        repeated++;
        return Fate.REPEATED;
    }

    /** Whether so great a share of the machine disturbs a measurement. */
    static boolean isDisturbed(double othersShare) {
        return othersShare > MOST_OTHERS;
    }

    /** How many rounds did not count so far. */
    int repeated() {
        return repeated;
    }

    /** How long they took, all together. */
    long repeatedNanos() {
        return repeatedNanos;
    }
}
