package dev.retier.load.measure;

/**
 * A request that is over, in whatever way. Times in nanoseconds since the start of the run.
 *
 * @param work the request
 * @param target host and port that it was last sent to; empty when none was tried
 * @param sentNanos when it was handed to its connection (opening it, where there was none); when it was given up, if it
 *     never was
 * @param endNanos when it was over
 */
public record Attempt(Work work, String target, long sentNanos, long endNanos) {
    /** It ended with a good answer, whose body did not come in chunks. */
    public Outcome answered(int status, long bodyBytes) {
        return answered(status, bodyBytes, false);
    }

    /** It ended with a good answer. */
    public Outcome answered(int status, long bodyBytes, boolean isChunked) {
        return new Outcome(this, null, false, status, bodyBytes, isChunked, null, sinceDueNanos());
    }

    /** It failed without a complete answer. */
    public Outcome failed(FailureKind failure) {
        return failed(failure, 0, 0);
    }

    /** It failed; {@code status} and {@code bodyBytes} are 0 without a complete answer. */
    public Outcome failed(FailureKind failure, int status, long bodyBytes) {
        return new Outcome(this, failure, false, status, bodyBytes, false, null, sinceDueNanos());
    }

    /** It was given up; its answer would have taken {@code responseNanos} or more from its due time. */
    public Outcome dropped(long responseNanos) {
        return new Outcome(this, null, true, 0, 0, false, null, responseNanos);
    }

    /** The same for one that was under way until now. */
    public Outcome dropped() {
        return dropped(sinceDueNanos());
    }

    private long sinceDueNanos() {
        return endNanos - work.dueNanos();
    }
}
