package dev.retier.iwarp.net;

/** Remembers who reads a socket: a poller, or the progress loop. */
final class PollWatch {
    /** Wake-ups in a row after which the loop leaves the socket to the poller. Short bursts are not worth it. */
    private static final int PARK_AFTER_WAKES = 16;

    private volatile long polledAt = System.nanoTime() - ProgressLoop.PARK_NANOS;
    private volatile boolean parked;
    /** Owned by the loop's thread: wake-ups in a row that came while somebody polled. */
    private int wakesForNothing;

    /** Somebody polls now. */
    void polled() {
        polledAt = System.nanoTime();
    }

    /** The poller goes away. Returns whether the loop left the socket to it. */
    boolean left() {
        polledAt = System.nanoTime() - ProgressLoop.PARK_NANOS;
        return parked;
    }

    /** Whether the poller was there lately. */
    boolean isPolled(long now) {
        return now - polledAt < ProgressLoop.PARK_NANOS;
    }

    /** Whether the loop has left the socket to the poller. */
    boolean isParked() {
        return parked;
    }

    /** The loop was woken. Returns whether it should leave the socket to the poller, who keeps coming first. */
    boolean park() {
        if (!isPolled(System.nanoTime())) {
            wakesForNothing = 0;
            return false;
        }
        wakesForNothing++;
        if (wakesForNothing < PARK_AFTER_WAKES) {
            return false;
        }
        wakesForNothing = 0;
        parked = true;
        return true;
    }

    /** The loop reads again. */
    void unpark() {
        parked = false;
    }
}
