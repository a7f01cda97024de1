package dev.retier.fabric.locks.protocol;

import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;

/**
 * One wait for a read/write lock and the hold that comes of it, at the side that asks. Ask the home for the lock until
 * it is held, then whether it still is: at once, every {@link LeaseTimes#renewNanos}, and when the home nudges; hand
 * the answers to {@link #answered}. Not thread-safe.
 *
 * <pre>
 *   WAITING --held--> HELD --held with another token, or not any more--> OVER
 *      '------------- end ------'-------- end ----------------------------^
 * </pre>
 */
public final class ReadWriteLockClient {
    private final LeaseTimes lease;
    private State state = State.WAITING;
    private long token;
    /** When the question began whose answer last proved the hold: its lease counts from then at the latest. */
    private long provenNanos;

    private enum State {
        WAITING,
        HELD,
        OVER
    }

    /** One that waits. */
    public ReadWriteLockClient(LeaseTimes lease) {
        this.lease = lease;
    }

    /**
     * The home has answered. One who asks waits for a third of a lease; a later answer is none, nor is one to a
     * question that is older than the last proof.
     *
     * @param begunNanos when the question was asked
     */
    public void answered(Standing standing, long begunNanos, long nowNanos) {
        boolean isLate = nowNanos - begunNanos >= lease.renewNanos();
        if (state == State.OVER || isLate || (state == State.HELD && begunNanos - provenNanos < 0)) {
            return;
        }
        switch (standing) {
            case Standing.Held(long given) -> {
                if (state == State.WAITING) {
                    state = State.HELD;
                    token = given;
                }
                if (given == token) {
                    provenNanos = begunNanos;
                } else {
                    state = State.OVER;
                }
            }
            case Standing.Absent _ -> state = state == State.HELD ? State.OVER : state;
        }
    }

    /** Whether it has the lock, as far as it knows. */
    public boolean isHeld() {
        return state == State.HELD;
    }

    /** Whether the holder may act now. */
    public boolean isSafe(long nowNanos) {
        return state == State.HELD && nowNanos - provenNanos < lease.safeNanos();
    }

    /** Of the lock that it has or had. */
    public long token() {
        return token;
    }

    /** Waits or holds no more: tell the home that it leaves. False if that was said before. */
    public boolean end() {
        boolean wasOpen = state != State.OVER;
        state = State.OVER;
        return wasOpen;
    }
}
