package dev.retier.state.verbs;

import dev.retier.link.Connection;
import dev.retier.link.NodeId;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** How many announcements have come to this node, from whom, and who waits for the next. Thread-safe. */
final class Announcements {
    private final Set<NodeId> callers = new TreeSet<>();
    private long heard;
    private boolean isWoken;

    /** Hears, on a connection, a member that sees this node and sends a message without a byte. */
    Connection of(NodeId peer) {
        return new Connection() {
            @Override
            public void nudged() {
                called(peer);
            }
        };
    }

    /** One has come. */
    synchronized void called(NodeId caller) {
        callers.add(caller);
        heard++;
        notifyAll();
    }

    /** Who has called since this was last asked. */
    synchronized Set<NodeId> callers() {
        Set<NodeId> taken = Set.copyOf(callers);
        callers.clear();
        return taken;
    }

    /** Ends the wait, or else the next one. */
    synchronized void wake() {
        isWoken = true;
        notifyAll();
    }

    /** Waits until more than {@code known} were heard, or it is woken, {@code nanos} at most; how many were heard. */
    synchronized long await(long known, long nanos) throws InterruptedException {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; heard <= known && !isWoken && left > 0; left = endNanos - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        isWoken = false;
        return heard;
    }

    /** How many have been heard. */
    synchronized long heard() {
        return heard;
    }
}
