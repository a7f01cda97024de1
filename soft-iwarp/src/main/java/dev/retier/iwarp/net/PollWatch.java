package dev.retier.iwarp.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Remembers who reads a socket: a poller, or the progress loop. A poll costs no look at the clock. */
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
    private volatile boolean parked;
    // Owned by the loop's thread.
    private int pollsAtWake;
    private int pollsAtCheck;
    /** Wake-ups in a row that came while somebody polled. */
    private int wakesForNothing;

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
        pollsAtCheck = now;
        parked = true;
        return true;
    }

    /**
     * Whether the loop has to read again, which it then does: the poller said that it leaves, or, at a check, has not
     * polled since the last one.
     */
    boolean unpark(boolean check) {
        int now = (int) POLLS.getOpaque(this);
        boolean gone = left || (check && now == pollsAtCheck);
        if (check) {
            pollsAtCheck = now;
        }
        if (gone) {
            parked = false;
        }
        return gone;
    }
}
