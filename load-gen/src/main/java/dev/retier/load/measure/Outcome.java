package dev.retier.load.measure;

import org.jspecify.annotations.Nullable;

/**
 * How one request ended; made by {@link Attempt}.
 *
 * @param attempt the request, to whom and when
 * @param failure why it counts as failed; null when it was answered well, or dropped
 * @param isDropped whether the generator gave it up: the run was ended, or there was no room for it
 * @param status of the complete answer; 0 without one
 * @param bodyBytes length of the answer's body
 * @param isChunked whether the answer's body came in chunks
 * @param held what became of the stream that it opened; null: it opened none
 * @param responseNanos from the time it was due to the last byte, or to the head if it opened a stream; of one that was
 *     never answered, the least that its answer would have taken
 */
public record Outcome(
        Attempt attempt,
        @Nullable FailureKind failure,
        boolean isDropped,
        int status,
        long bodyBytes,
        boolean isChunked,
        @Nullable Held held,
        long responseNanos) {
    /** The request. */
    public Work work() {
        return attempt.work();
    }

    /** Host and port that it was last sent to; empty when none was tried. */
    public String target() {
        return attempt.target();
    }

    /** When it was handed to its connection, since the start of the run. */
    public long sentNanos() {
        return attempt.sentNanos();
    }

    /** When it was over, since the start of the run. */
    public long endNanos() {
        return attempt.endNanos();
    }

    /** Whether it was answered well. */
    public boolean isGood() {
        return failure == null && !isDropped;
    }

    /** The same, for a request that opened a stream: it was answered when the head was there. */
    public Outcome of(Held stream) {
        long openedAfter = stream.openedNanos() - work().dueNanos();
        return new Outcome(attempt, failure, isDropped, status, stream.bytes(), isChunked, stream, openedAfter);
    }

    /** Whether nobody knows how long its answer would have taken: it timed out, or was given up. */
    public boolean isUnanswered() {
        return isDropped || failure == FailureKind.TIMEOUT;
    }

    /** From handing the request to its connection to the last byte. */
    public long serviceNanos() {
        return endNanos() - sentNanos();
    }
}
