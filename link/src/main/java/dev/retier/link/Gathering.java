package dev.retier.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for several operations at once, so that a look at a whole cell wakes its thread once and not once per node.
 *
 * <p>Made, added to and awaited by one thread; {@link #arrived} may be called by any.
 */
public final class Gathering {
    private final Thread owner = Thread.currentThread();
    private final AtomicInteger missing = new AtomicInteger();
    private @Nullable Operations operations;
    private boolean isGivenUp;

    /** For the calling thread, which will await it. */
    public Gathering() {}

    /** One more operation is about to be posted, which {@code on} will tell of. */
    void expect(Operations on) {
        operations = on;
        missing.incrementAndGet();
    }

    /** One operation has ended. */
    void arrived() {
        if (missing.decrementAndGet() == 0 && !owner.equals(Thread.currentThread())) {
            LockSupport.unpark(owner);
        }
    }

    boolean isMissing() {
        return missing.get() > 0 && !isGivenUp;
    }

    boolean isSeveral() {
        return missing.get() > 1;
    }

    /** What has not arrived will not. For the owner. */
    void giveUp() {
        isGivenUp = true;
    }

    /** Waits until all have arrived, the monotonic clock shows {@code deadlineNanos}, or the thread is interrupted. */
    public void await(long deadlineNanos) {
        Operations on = operations;
        if (on != null && isMissing()) {
            on.await(this, deadlineNanos);
        }
    }
}
