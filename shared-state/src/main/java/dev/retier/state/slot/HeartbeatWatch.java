package dev.retier.state.slot;

/**
 * How long a reader has seen a node's heartbeat stand still, by the reader's own clock: clocks of different nodes are
 * never compared. Not thread-safe.
 */
public final class HeartbeatWatch {
    private boolean seen;
    private long incarnation;
    private long heartbeat;
    private long sinceNanos;

    /**
     * Takes note of what was just read.
     *
     * @param nowNanos the reader's monotonic clock
     * @return for how many nanoseconds this very heartbeat has been seen; 0 when it is new
     */
    public long observe(long readIncarnation, long readHeartbeat, long nowNanos) {
        if (!seen || readIncarnation != incarnation || readHeartbeat != heartbeat) {
            seen = true;
            incarnation = readIncarnation;
            heartbeat = readHeartbeat;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos;
    }
}
