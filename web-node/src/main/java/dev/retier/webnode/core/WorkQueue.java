package dev.retier.webnode.core;

/**
 * The emulated capacity of a node: one server that works through requests in the order of their arrival, at a fixed
 * number of units per second. Work is never lost to late timers, because each request starts where the one before
 * it ended: {@code finish = max(now, busyUntil) + units / capacity} (a work-conserving single-server FIFO queue).
 *
 * <p>Times are readings of one monotonic clock in nanoseconds; they may be negative and may wrap. Guarded by the
 * caller's lock.
 */
public final class WorkQueue {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double capacityUnitsPerSecond;
    private long busyUntilNanos;
    private long orderedNanos;

    /**
     * An idle queue.
     *
     * @param capacityUnitsPerSecond above 0
     * @param nowNanos the time at which it starts
     * @throws IllegalArgumentException when the capacity is not a finite number above 0
     */
    public WorkQueue(double capacityUnitsPerSecond, long nowNanos) {
        if (!(capacityUnitsPerSecond > 0) || Double.isInfinite(capacityUnitsPerSecond)) {
            throw new IllegalArgumentException("capacity must be above 0 units/s: " + capacityUnitsPerSecond);
        }
        this.capacityUnitsPerSecond = capacityUnitsPerSecond;
        this.busyUntilNanos = nowNanos;
    }

    /**
     * Adds work behind all that was added before.
     *
     * @param nowNanos not before the {@code nowNanos} of the call before
     * @param units how much work, 0 or more
     * @return when it will be finished, on the clock of {@code nowNanos}
     */
    public long admit(long nowNanos, double units) {
        long serviceNanos = Math.round(units / capacityUnitsPerSecond * NANOS_PER_SECOND);
        busyUntilNanos = nowNanos + backlogNanos(nowNanos) + serviceNanos;
        orderedNanos += serviceNanos;
        return busyUntilNanos;
    }

    /** How long the work accepted so far will still take, 0 when idle. */
    public long backlogNanos(long nowNanos) {
        return Math.max(0, busyUntilNanos - nowNanos);
    }

    /**
     * Time spent working since the start, without the backlog. The growth between two readings over the time between
     * them is the utilisation, in [0,1].
     */
    public long busyNanos(long nowNanos) {
        return orderedNanos - backlogNanos(nowNanos);
    }
}
