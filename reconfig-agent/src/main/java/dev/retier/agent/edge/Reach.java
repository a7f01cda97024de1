package dev.retier.agent.edge;

import java.time.Duration;

/**
 * Whether an agent can be told, as people should hear it: what lasts no longer than a restart is not worth a word. Not
 * thread-safe.
 */
final class Reach {
    /** An agent that is started, or started again, answers before. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private boolean isLost;
    private boolean isSaid;
    private long lostSinceNanos;

    /** What there is to say. */
    enum Change {
        NOTHING,
        LOST,
        BACK
    }

    /** After one more try at that monotonic time. */
    Change after(boolean isHeard, long nowNanos) {
        if (isHeard) {
            boolean wasSaid = isSaid;
            isLost = false;
            isSaid = false;
            return wasSaid ? Change.BACK : Change.NOTHING;
        }
        if (!isLost) {
            isLost = true;
            lostSinceNanos = nowNanos;
        }
        if (isSaid || nowNanos - lostSinceNanos < PATIENCE.toNanos()) {
            return Change.NOTHING;
        }
        isSaid = true;
        return Change.LOST;
    }
}
