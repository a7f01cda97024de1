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
