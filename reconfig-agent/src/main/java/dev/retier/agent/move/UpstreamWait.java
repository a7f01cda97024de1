package dev.retier.agent.move;

import java.time.Duration;

/**
 * How long a node waits for those who send to it. All must have let go, and from the first look on, by which the target
 * lists have lost the node, its hold must be over. It ends in vain when somebody has not let go for the deadline.
 */
final class UpstreamWait {
    private final long deadlineNanos;
    private long holdNanos;
    private boolean isProven;
    private boolean isSeen;
    private long begunNanos;
    private long seenNanos;
    private long unprovenSinceNanos;

    UpstreamWait(Duration deadline) {
        this.deadlineNanos = deadline.toNanos();
    }

    void begin(Duration hold, long nowNanos) {
        holdNanos = hold.toNanos();
        isProven = false;
        isSeen = false;
        begunNanos = nowNanos;
        unprovenSinceNanos = nowNanos;
    }

    /** Whether it is over, now that all have let go or not. */
    boolean isOver(boolean haveAllLetGo, long nowNanos) {
        if (!isSeen) {
            isSeen = true;
            seenNanos = nowNanos;
        }
        if (isProven && !haveAllLetGo) {
            unprovenSinceNanos = nowNanos;
        }
        isProven = haveAllLetGo;
        return isProven && nowNanos - seenNanos >= holdNanos;
    }

    /** Whether it was in vain: an edge that is started again and again must not make it longer than both together. */
    boolean isInVain(long nowNanos) {
        return nowNanos - begunNanos >= deadlineNanos + holdNanos
                || (!isProven && nowNanos - unprovenSinceNanos >= deadlineNanos);
    }
}
