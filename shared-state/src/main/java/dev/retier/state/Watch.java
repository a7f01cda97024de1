package dev.retier.state;

import org.jspecify.annotations.Nullable;

/**
 * For how long a reader has seen something stand still, by the reader's own clock: clocks of different nodes are never
 * compared. Not thread-safe.
 *
 * @param <T> what is looked at: a value
 */
public final class Watch<T> {
    private @Nullable T last;
    private long sinceNanos;

    /**
     * Takes note of what was just read.
     *
     * @param nowNanos the reader's monotonic clock
     * @return for how many nanoseconds this very value has been seen; 0 when it is new
     */
    public long observe(T seen, long nowNanos) {
        if (!seen.equals(last)) {
            last = seen;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos;
    }
}
