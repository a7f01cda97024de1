package dev.retier.agent.control;

import java.time.Duration;

/**
 * How long a listener rests after {@code accept} failed, which it does at once and again and again while the process
 * has no file descriptor left: 250 ms at first, then twice as long each time, 16 s at most. One success ends the
 * episode. Not thread-safe.
 */
final class AcceptBackoff {
    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(16);

    private Duration next = FIRST;

    /**
     * One more failure.
     *
     * @param rest before the next try
     * @param isFirst whether the episode begins with it; only then is there something to tell
     */
    record Failure(Duration rest, boolean isFirst) {}

    /** Counts a failure. */
    Failure failed() {
        Failure failure = new Failure(next, next.equals(FIRST));
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        return failure;
    }

    /** A connection came: the episode, if there was one, is over. */
    void succeeded() {
        next = FIRST;
    }
}
