package dev.retier.bench.upgrade;

/** What one agent saw of the others over some time, as it was asked now and then. Not thread-safe. */
final class Sight {
    private long firstUnknownNanos;
    private long knownAgainNanos;
    private boolean isLost;
    private double mostUnknown;

    /**
     * One answer.
     *
     * @param nowNanos when it came, of a clock that only goes forward
     * @param unknownShare of nodes that it did not know
     */
    void saw(long nowNanos, double unknownShare) {
        mostUnknown = Math.max(mostUnknown, unknownShare);
        if (unknownShare == 0) {
            if (isLost && knownAgainNanos == 0) {
                knownAgainNanos = nowNanos;
            }
            return;
        }
        if (!isLost) {
            isLost = true;
            firstUnknownNanos = nowNanos;
        }
        knownAgainNanos = 0;
    }

    /** From the first answer with a node missing until the one after the last; 0 when none was missing. */
    long unseenNanos(long nowNanos) {
        if (!isLost) {
            return 0;
        }
        return (knownAgainNanos == 0 ? nowNanos : knownAgainNanos) - firstUnknownNanos;
    }

    /** The largest share that was missing at once, 0 to 1. */
    double mostUnknown() {
        return mostUnknown;
    }
}
