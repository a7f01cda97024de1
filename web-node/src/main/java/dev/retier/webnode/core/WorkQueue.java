package dev.retier.webnode.core;

/**
 * The emulated capacity of a node: one server that works through requests in the order of their arrival, at a fixed
 * number of units per second. Work is never lost to late timers, because each request starts where the one before
 * it ended: {@code finish = max(now, busyUntil) + units / capacity} (a work-conserving single-server FIFO queue).
 *
 * <p>When the host stalls, answers leave later than their finish and the clients that waited for them come back later
 * by as much. That is the host's fault, not the emulated node's, so such a request is counted as if it had come that
 * much earlier, by at most {@link #MAX_CREDIT_NANOS}. Over any time since the start the node still never works more
 * than that time.
 *
 * <p>Times are readings of one monotonic clock in nanoseconds; they may be negative and may wrap. Guarded by the
 * caller's lock.
 */
public final class WorkQueue {
    /** Most lateness that is made good, and how long it is remembered. Longer stalls are rare and show as idle time. */
    public static final long MAX_CREDIT_NANOS = 100_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final double capacityUnitsPerSecond;
    private long busyUntilNanos;
    private long orderedNanos;
    private long latenessNanos;
    private long deliveredNanos;

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
        this.deliveredNanos = nowNanos;
    }

    /**
     * Adds work behind all that was added before.
     *
     * @param nowNanos not before the {@code nowNanos} of the call before
     * @param units how much work, 0 or more
     * @return when it will be finished, on the clock of {@code nowNanos}; may lie before it by the credit for lateness
     */
    public long admit(long nowNanos, double units) {
        long serviceNanos = Math.round(units / capacityUnitsPerSecond * NANOS_PER_SECOND);
        long arrivalNanos = nowNanos - creditNanos(nowNanos);
        busyUntilNanos = arrivalNanos + backlogNanos(arrivalNanos) + serviceNanos;
        orderedNanos += serviceNanos;
        return busyUntilNanos;
    }

    /** The answer that was finished at {@code finishNanos} leaves only now. */
    public void delivered(long nowNanos, long finishNanos) {
        latenessNanos = Math.clamp(nowNanos - finishNanos, 0, MAX_CREDIT_NANOS);
        deliveredNanos = nowNanos;
    }

    /** How long the work accepted so far will still take, 0 when idle. */
    public long backlogNanos(long nowNanos) {
        return Math.max(0, busyUntilNanos - nowNanos);
    }

    /**
     * Time spent working since the start, without the backlog. The growth between two readings over the time between
     * them is the utilisation; work made good after a stall is counted when it is made good, so that over a short time
     * the growth may exceed the time, by at most {@link #MAX_CREDIT_NANOS}.
     */
    public long busyNanos(long nowNanos) {
        return orderedNanos - backlogNanos(nowNanos);
    }

    private long creditNanos(long nowNanos) {
        return nowNanos - deliveredNanos <= MAX_CREDIT_NANOS ? latenessNanos : 0;
    }
}
