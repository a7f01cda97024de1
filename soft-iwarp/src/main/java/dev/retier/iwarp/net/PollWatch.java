package dev.retier.iwarp.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Remembers who reads a socket: a poller, the thread that waits for the events of a channel, or the progress loop. A
 * poll costs no look at the clock.
 */
final class PollWatch {
    /** Wake-ups in a row after which the loop leaves the socket to the poller. Short bursts are not worth it. */
    private static final int PARK_AFTER_WAKES = 16;

    private static final VarHandle POLLS;

    static {
        try {
            POLLS = MethodHandles.lookup().findVarHandle(PollWatch.class, "polls", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Polls so far. Written under the queue pair's lock, read by the loop's thread through POLLS. */
    private int polls;

    private volatile boolean left;
    /** Whose waiting thread reads the socket. */
    private volatile @Nullable CompletionChannel waiter;

    private volatile boolean parked;
    // Owned by the loop's thread.
    private int pollsAtWake;
    private int pollsAtCheck;
    /** Wake-ups in a row that came while somebody polled. */
    private int wakesForNothing;
    /** Written under the queue pair's lock: whether TCP has not taken all there is to send. */
    private volatile boolean unsent;
    /** Wake-ups in a row, each of which woke the one thread that waits. */
    private int wakesForWaiter;

    /** Somebody polls now; the caller holds the queue pair's lock. */
    void polled() {
        POLLS.setOpaque(this, polls + 1);
        if (left) {
            left = false;
        }
    }

    /** The poller goes away. Returns whether the loop left the socket to it. */
    boolean left() {
        left = true;
        return parked;
    }

    /** Whether the loop has left the socket to the poller. */
    boolean isParked() {
        return parked;
    }

    /** The loop was woken. Returns whether it should leave the socket to the poller, who keeps coming first. */
    boolean park() {
        int now = (int) POLLS.getOpaque(this);
        boolean polled = now != pollsAtWake && !left;
        pollsAtWake = now;
        wakesForNothing = polled ? wakesForNothing + 1 : 0;
        if (wakesForNothing < PARK_AFTER_WAKES) {
            return false;
        }
        wakesForNothing = 0;
        leave(now);
        return true;
    }

    private void leave(int polledSoFar) {
        pollsAtCheck = polledSoFar;
        parked = true;
    }

    /**
     * The loop was woken, and read. Returns whether it should leave the socket to the thread that waits for the events
     * of {@code awaited}, as each wake-up is for that one.
     *
     * @param awaited where exactly one thread waited before, and there was no event; null if there was no such channel
     */
    boolean parkForWaiter(@Nullable CompletionChannel awaited) {
        wakesForWaiter = awaited != null && awaited.hasPending() ? wakesForWaiter + 1 : 0;
        if (wakesForWaiter < PARK_AFTER_WAKES || unsent) {
            return false;
        }
        wakesForWaiter = 0;
        left = false;
        waiter = awaited;
        leave((int) POLLS.getOpaque(this));
        return true;
    }

    /** Whether the thread that waits for {@code channel}'s events reads the socket. */
    boolean isLeftTo(CompletionChannel channel) {
        return parked && channel.equals(waiter);
    }

    /** Whether the loop should not read the socket for somebody who waits for {@code events}. */
    boolean isHeld(@Nullable CompletionChannel events) {
        CompletionChannel current = waiter;
        return parked && current != null && (current.equals(events) || current.isServing());
    }

    /** The thread that waited does no longer: the loop is to have the socket. */
    void givenBack() {
        waiter = null;
    }

    /**
     * Whether there is more to send than TCP took; the caller holds the queue pair's lock. A thread that waits for the
     * socket has to wait for space, too. Returns whether it should, and is away: then the loop has to.
     */
    boolean isUnsent(boolean isMore) {
        boolean isNews = isMore && !unsent;
        if (isMore != unsent) {
            unsent = isMore;
        }
        CompletionChannel current = waiter;
        return isNews && current != null && !current.looksAgain();
    }

    /** Whether there is more to send than TCP took. */
    boolean hasUnsent() {
        return unsent;
    }

    /** The socket is closed. */
    void ended() {
        CompletionChannel current = waiter;
        waiter = null;
        if (current != null) {
            current.sockets().purge();
        }
    }

    /** Whether the socket is left to a thread that waits. */
    boolean isLeftToWaiter() {
        return parked && waiter != null;
    }

    private boolean isServed() {
        CompletionChannel current = waiter;
        return current != null && current.isServing() && current.sockets().holds(this);
    }

    /** Whether a thread waits for the socket that has not read it since the last check: if it has bytes, it is late. */
    boolean isQuiet() {
        return !left && (int) POLLS.getOpaque(this) == pollsAtCheck && isServed();
    }

    /**
     * Whether the loop has to read again, which it then does: the poller said that it leaves, or, at a check, has not
     * polled since the last one.
     */
    boolean unpark(boolean check) {
        CompletionChannel current = waiter;
        int now = (int) POLLS.getOpaque(this);
        if (check && !left && isServed()) {
            pollsAtCheck = now;
            return false;
        }
        boolean gone = left || (check && now == pollsAtCheck);
        if (check) {
            pollsAtCheck = now;
        }
        if (gone) {
            waiter = null;
            parked = false;
            if (current != null) {
                current.sockets().purge();
            }
        }
        return gone;
    }
}
