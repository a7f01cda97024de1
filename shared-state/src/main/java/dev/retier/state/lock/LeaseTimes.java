package dev.retier.state.lock;

import java.time.Duration;

/**
 * How long a lease counts for whom. Clocks need not agree on the time, only run at about the same speed.
 *
 * @param leaseNanos a waiter may take over a word that it has watched unchanged for so long by its own clock
 * @param safeNanos a holder acts no longer than so long after it began its last successful acquisition or renewal, by
 *     its own clock; less than the lease
 */
public record LeaseTimes(long leaseNanos, long safeNanos) {
    /** Two thirds: leaves a third of the lease for clocks of different speed and for steps begun just in time. */
    private static final int SAFE_NUMERATOR = 2;

    private static final int SAFE_DENOMINATOR = 3;

    /** Refuses a safe time that is not positive or not below the lease with {@link IllegalArgumentException}. */
    public LeaseTimes {
        if (safeNanos <= 0 || safeNanos >= leaseNanos) {
            throw new IllegalArgumentException("safe " + safeNanos + " ns is not in 1.." + (leaseNanos - 1) + " ns");
        }
    }

    /** The lease {@code lease}, of which the holder uses two thirds. */
    public static LeaseTimes of(Duration lease) {
        long leaseNanos = lease.toNanos();
        return new LeaseTimes(leaseNanos, leaseNanos / SAFE_DENOMINATOR * SAFE_NUMERATOR);
    }
}
