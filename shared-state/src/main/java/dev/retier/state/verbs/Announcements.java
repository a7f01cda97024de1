package dev.retier.state.verbs;

import dev.retier.link.Connection;
import java.util.concurrent.TimeUnit;

/**
 * How many announcements have come to this node, and who waits for the next. Hears, on a connection, a member that sees
 * this node and sends a message without a byte. Thread-safe.
 */
final class Announcements implements Connection {
    private long heard;

    /** One has come. */
    @Override
    public synchronized void nudged() {
        heard++;
        notifyAll();
    }

    /** Waits until more than {@code known} have been heard, {@code nanos} at most; how many have been. */
    synchronized long await(long known, long nanos) throws InterruptedException {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; heard <= known && left > 0; left = endNanos - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return heard;
    }

    /** How many have been heard. */
    synchronized long heard() {
        return heard;
    }
}
