package dev.retier.load.drive;

/** Pauses after failures in a row: 5 ms, doubling to 320 ms. On one thread. */
final class FailurePause {
    /** The first pause. */
    static final long FIRST_NANOS = 5_000_000L;

    private static final int MOST_DOUBLINGS = 6;

    private int failuresInARow;

    /** How long to pause after another failure. */
    long nextNanos() {
        return FIRST_NANOS << Math.min(failuresInARow++, MOST_DOUBLINGS);
    }

    /** It works again. */
    void reset() {
        failuresInARow = 0;
    }
}
