package dev.retier.volume.gateway;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How a client gets on with what is its turn: the rest of a request that it has begun, or an answer that it is to take.
 * Whoever waits for it says so, any thread sees for how long nothing came of it.
 */
final class Progress {
    /** That much counts as something: less, again and again, would hold memory for as long as somebody likes. */
    private static final int STEP_BYTES = 1 << 20;

    private static final long NOBODY_WAITS = Long.MIN_VALUE;

    private final AtomicLong sinceNanos = new AtomicLong(NOBODY_WAITS);
    /** Of the thread that waits. */
    private long movedBytes;

    /** It is the client's turn, until {@link #over}; nothing changes if it was already. */
    void due(long nowNanos) {
        if (sinceNanos.compareAndSet(NOBODY_WAITS, nowNanos)) {
            movedBytes = 0;
        }
    }

    /** So many bytes more came or went. */
    void moved(long bytes, long nowNanos) {
        movedBytes += bytes;
        if (movedBytes >= STEP_BYTES && sinceNanos.get() != NOBODY_WAITS) {
            movedBytes = 0;
            sinceNanos.set(nowNanos);
        }
    }

    /**
     * For how long this process was stopped between two looks, as SIGSTOP does, or a machine that sleeps; 0 if it was
     * busy at most.
     */
    static long stoppedNanos(long betweenNanos, long dueNanos) {
        return betweenNanos > 2 * dueNanos ? betweenNanos - dueNanos : 0;
    }

    /** For so long nobody could do anything, as this process was stopped: that is not the client's. */
    void pardon(long nanos) {
        long since = sinceNanos.get();
        if (since != NOBODY_WAITS) {
            var _ = sinceNanos.compareAndSet(since, since + nanos);
        }
    }

    /** It is not its turn any more. */
    void over() {
        sinceNanos.set(NOBODY_WAITS);
    }

    /** Whether nothing has come of it for longer than that. */
    boolean isStalled(long nowNanos, long mostNanos) {
        long since = sinceNanos.get();
        return since != NOBODY_WAITS && nowNanos - since > mostNanos;
    }
}
