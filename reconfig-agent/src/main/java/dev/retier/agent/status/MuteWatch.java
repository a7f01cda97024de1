package dev.retier.agent.status;

import java.time.Duration;

/**
 * Knows when a server has told nothing of itself for so long that its node must say so. A heartbeat that stands still
 * is not enough: who looks for the first time in a while takes the last one for new. Not thread-safe.
 */
public final class MuteWatch {
    private final long boundNanos;
    private long toldNanos;

    /** A server that has told something at {@code nowNanos}, and is mute once it has not for {@code bound}. */
    public MuteWatch(Duration bound, long nowNanos) {
        this.boundNanos = bound.toNanos();
        this.toldNanos = nowNanos;
    }

    /** It has told its status, or is known not to answer at all. */
    public void told(long nowNanos) {
        toldNanos = nowNanos;
    }

    /** Whether it has told nothing for the bound. */
    public boolean isMute(long nowNanos) {
        return nowNanos - toldNanos >= boundNanos;
    }
}
