package dev.retier.agent.decide;

/**
 * The highest of the figures of late: of a whole period at most, of half of it at least. A value of three numbers.
 *
 * @param earlier the highest of the half period before
 * @param present the highest of the present one
 * @param sinceNanos when the present one began
 */
record RecentPeak(double earlier, double present, long sinceNanos) {
    /** Before the first figure. */
    static RecentPeak none(long nowNanos) {
        return new RecentPeak(0, 0, nowNanos);
    }

    RecentPeak with(double figure, long periodNanos, long nowNanos) {
        return nowNanos - sinceNanos >= periodNanos / 2
                ? new RecentPeak(present, figure, nowNanos)
                : new RecentPeak(earlier, Math.max(present, figure), sinceNanos);
    }

    /** 0 before the first figure. */
    double value() {
        return Math.max(earlier, present);
    }
}
