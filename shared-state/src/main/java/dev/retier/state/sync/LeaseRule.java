package dev.retier.state.sync;

/**
 * How long a holder may act, and how long others wait before they take over, without synchronised clocks: a holder acts
 * for two thirds of the lease after its last proof of life began, and others wait for the whole lease after they have
 * seen it. So it is safe as long as no clock runs half as fast again as another.
 *
 * @param leaseNanos at least 3
 */
public record LeaseRule(long leaseNanos) {
    private static final int THIRDS = 3;

    /** Checks the range. */
    public LeaseRule {
        if (leaseNanos < THIRDS) {
            throw new IllegalArgumentException("a lease of " + leaseNanos + " ns");
        }
    }

    /** How long a holder acts after its last renewal began. */
    public long actNanos() {
        return leaseNanos / THIRDS * 2;
    }

    /** How long after a renewal began the next one is due. */
    public long renewNanos() {
        return leaseNanos / THIRDS;
    }
}
