package dev.retier.iwarp.net;

/** Something with a deadline on a progress loop. Called by the loop's thread only. */
interface Timed {
    /** When, on {@link System#nanoTime}'s scale. */
    long deadlineNanos();

    /** The deadline has passed. */
    void expired();
}
