package dev.retier.iwarp.rdmap;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of a queue pair on iWARP.
 *
 * <pre>
 *            connected              disconnect, or the peer closed
 *   IDLE ----------------> RTS ------------------------------> CLOSING
 *    |                      |                                     |
 *    | start-up             | an error of ours or of the peer     | TCP gone
 *    | failed               v                                     v
 *    |                  TERMINATE -----------------------------> ERROR
 *    |                         Terminate sent or received, TCP gone
 *    +----------------------------------------------------------> ERROR
 * </pre>
 */
public enum QpState {
    /** Receives can be posted, sends cannot. */
    IDLE,
    /** Everything works. */
    RTS,
    /** A graceful end: what is in TCP's hands is still sent, all other work is flushed. */
    CLOSING,
    /** An error: the one Terminate may still be sent, all other work is flushed. */
    TERMINATE,
    /** The end. Posted work is flushed at once. */
    ERROR;

    /** The states that this one may follow. */
    private Set<QpState> predecessors() {
        return switch (this) {
            case IDLE -> EnumSet.noneOf(QpState.class);
            case RTS -> EnumSet.of(IDLE);
            case CLOSING, TERMINATE -> EnumSet.of(RTS);
            case ERROR -> EnumSet.of(IDLE, RTS, CLOSING, TERMINATE);
        };
    }

    /** Whether {@code next} may follow. */
    public boolean allows(QpState next) {
        return next.predecessors().contains(this);
    }

    /**
     * Returns {@code next}.
     *
     * @throws IllegalStateException if it may not follow
     */
    public QpState transition(QpState next) {
        if (!allows(next)) {
            throw new IllegalStateException("queue pair cannot go from " + this + " to " + next);
        }
        return next;
    }

    /** Whether posted work is flushed instead of done. */
    public boolean flushes() {
        return this == CLOSING || this == TERMINATE || this == ERROR;
    }
}
