package dev.retier.iwarp.net;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a listening socket rests after accepting failed, as it does while the process has no descriptor left: the
 * socket stays readable, and who tried again at once would do nothing else. As XNIO's, from 250 ms, doubled each time,
 * up to 16 s. Owned by the loop's thread.
 */
final class AcceptBackoff {
    static final Duration FIRST = Duration.ofMillis(250);
    static final Duration LAST = Duration.ofSeconds(16);

    private static final long TOLD_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private Duration next = FIRST;
    private int failures;
    private boolean told;
    private boolean toldEver;
    private long toldNanos;

    /** Accepting failed. Returns how long to rest. */
    Duration failed() {
        Duration rest = next;
        next = next.multipliedBy(2).compareTo(LAST) < 0 ? next.multipliedBy(2) : LAST;
        failures++;
        return rest;
    }

    /** Whether to tell of the last failure: once in a row of them, and once a minute at most. */
    boolean tells(long nowNanos) {
        boolean tells = !told && (!toldEver || nowNanos - toldNanos >= TOLD_AGAIN_NANOS);
        if (tells) {
            told = true;
            toldEver = true;
            toldNanos = nowNanos;
        }
        return tells;
    }

    /** A connection was accepted. Returns how many tries in a row had failed before, if that was told. */
    int succeeded() {
        int before = told ? failures : 0;
        told = false;
        failures = 0;
        next = FIRST;
        return before;
    }
}
