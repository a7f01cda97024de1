package dev.retier.agent.status;

/**
 * Clients whose connections the system has taken for a server, and the server has not: those who wait because it holds
 * all that it can, whatever it is that limits it and however idle its processor is. Not thread-safe.
 */
public final class AcceptQueue {
    /** Walking the table takes the kernel a millisecond or two, however short it is: its hash is large. */
    private static final long AGAIN_NANOS = 2_000_000_000L;
    /** And longer than a burst takes on its way in. */
    private static final long SOON_NANOS = 500_000_000L;

    private long lookedNanos;
    private boolean didWait;
    private boolean isFull;

    /** One that nobody has looked at, at {@code nowNanos}. */
    public AcceptQueue(long nowNanos) {
        this.lookedNanos = nowNanos - AGAIN_NANOS;
    }

    /** Whether it is to be looked at again: every half second while some wait or answers are late, else every two. */
    public boolean isDue(boolean isLate, long nowNanos) {
        return nowNanos - lookedNanos >= (didWait || isLate ? SOON_NANOS : AGAIN_NANOS);
    }

    /** So many more wait now than must. */
    public void looked(long waiting, long nowNanos) {
        isFull = waiting > 0 && didWait;
        didWait = waiting > 0;
        lookedNanos = nowNanos;
    }

    /** Whether some waited at the newest look and some did at the one before: one may meet a burst on its way in. */
    public boolean isFull() {
        return isFull;
    }
}
