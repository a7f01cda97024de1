package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.RtrKind;
import java.util.Set;

/**
 * The first moments of an initiator whose peer nothing tells to be of our kind. A responder may miss what comes right
 * behind its Reply, and look at it only when more comes: Linux siw does, which begins to listen for FPDUs after it has
 * sent the Reply. So as long as nothing has come from the peer, ready-to-receive is said again, a few times. Only an
 * empty Write can be: it takes no number and no buffer, and may come at any time (RFC 5041 section 5.2). Where none was
 * agreed, nothing is sent for a moment instead. Time is an argument. Guarded by the stream owner's lock.
 */
final class ReadyAgain {
    /** Of 100 connections to siw in a slow machine none stalled after such a pause; after 10 ms one of 40 did. */
    static final long PAUSE_NANOS = 50_000_000;
    /** The last one comes 750 ms after the first FPDU. */
    static final int MOST_REPEATS = 4;
    /** {@link #waitNanos} if there is nothing to wait for. */
    static final long NEVER = -1;

    private final boolean repeats;
    private boolean hasBegun;
    private boolean isOver;
    private int repeated;
    private long dueNanos;
    private long waitNanos = NEVER;

    /** What to do now. */
    enum Step {
        /** Nothing. */
        NONE,
        /** Send nothing until {@link #SPEAK}. */
        PAUSE,
        /** Send. */
        SPEAK,
        /** Say ready-to-receive once more. */
        REPEAT
    }

    private ReadyAgain(boolean repeats, boolean isOver) {
        this.repeats = repeats;
        this.isOver = isOver;
    }

    /** Of a stream that has just started. */
    static ReadyAgain of(Agreement agreement) {
        boolean isStranger = agreement.initiator() && agreement.isWithStranger();
        return new ReadyAgain(agreement.rtr().equals(Set.of(RtrKind.WRITE)), !isStranger);
    }

    /**
     * Looks what is to be done: when the first FPDU is about to leave, and whenever {@link #waitNanos} is over.
     *
     * @param isAnswered whether something has come from the peer, or the stream is ending
     */
    Step look(long nowNanos, boolean isAnswered) {
        if (isOver || isAnswered) {
            return end(Step.NONE);
        }
        if (!hasBegun) {
            hasBegun = true;
            return await(nowNanos, repeats ? Step.NONE : Step.PAUSE);
        }
        if (nowNanos - dueNanos < 0) {
            waitNanos = dueNanos - nowNanos;
            return Step.NONE;
        }
        if (!repeats) {
            return end(Step.SPEAK);
        }
        repeated++;
        return repeated == MOST_REPEATS ? end(Step.REPEAT) : await(nowNanos, Step.REPEAT);
    }

    /** Nanoseconds until the next look, or {@link #NEVER}. */
    long waitNanos() {
        return waitNanos;
    }

    private Step end(Step last) {
        isOver = true;
        waitNanos = NEVER;
        return last;
    }

    private Step await(long nowNanos, Step step) {
        waitNanos = PAUSE_NANOS << repeated;
        dueNanos = nowNanos + waitNanos;
        return step;
    }
}
