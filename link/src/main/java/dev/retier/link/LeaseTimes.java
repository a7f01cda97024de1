package dev.retier.link;

import java.time.Duration;

/**
 * How long a holder may act, and how long others wait before they take over, without synchronised clocks: a holder acts
 * for two thirds of the lease after its last proof of life began, and others wait for the whole lease after they have
 * seen it. So it is safe as long as no clock runs half as fast again as another.
 *
 * @param leaseNanos a waiter takes over what it has watched unchanged for so long by its own clock; at least 3
 */
public record LeaseTimes(long leaseNanos) {
    private static final int THIRDS = 3;

    /** Refuses a lease that has no thirds with {@link IllegalArgumentException}. */
    public LeaseTimes {
        if (leaseNanos < THIRDS) {
            throw new IllegalArgumentException("a lease of " + leaseNanos + " ns");
        }
    }

    /** The times of {@code lease}. */
    public static LeaseTimes of(Duration lease) {
        return new LeaseTimes(lease.toNanos());
    }

    /** How long a holder acts after its last acquisition or renewal began, by its own clock. */
    public long safeNanos() {
        return leaseNanos / THIRDS * 2;
    }

    /** How long after a renewal began the next one is due. */
    public long renewNanos() {
        return leaseNanos / THIRDS;
    }
}
