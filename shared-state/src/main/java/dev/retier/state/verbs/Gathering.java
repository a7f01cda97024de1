package dev.retier.state.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for several operations at once, so that a look at a whole cell wakes its thread once and not once per node.
 *
 * <p>Made, added to and awaited by one thread; {@link #arrived} may be called by any.
 */
final class Gathering {
    private final Thread owner = Thread.currentThread();
    private final AtomicInteger missing = new AtomicInteger();

    /** One more operation is about to be posted. */
    void expect() {
        missing.incrementAndGet();
    }

    /** One operation has ended. */
    void arrived() {
        if (missing.decrementAndGet() == 0) {
            LockSupport.unpark(owner);
        }
    }

    /** Waits until all have arrived, the monotonic clock shows {@code deadlineNanos}, or the thread is interrupted. */
    void await(long deadlineNanos) {
        long left = deadlineNanos - System.nanoTime();
        while (missing.get() > 0 && left > 0 && !owner.isInterrupted()) {
            LockSupport.parkNanos(this, left);
            left = deadlineNanos - System.nanoTime();
        }
    }
}
