package dev.retier.link;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completion queue of what a node asked for: remote reads, swaps and announcements. It has no thread: one of those
 * that wait for an operation serves the queue for all, so that an answer wakes only whom it is for.
 *
 * <p>Thread-safe.
 */
public final class Operations {
    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    /**
     * Before it asks to be woken by the first of several answers, a waiter sleeps for about as long as a round trip:
     * most have come then, and one timer costs less than a wake-up for each.
     */
    private static final long GATHER_NANOS = 100_000;

    /** Whoever ends the operations of a lost connection cannot wake a thread that sleeps in the queue. */
    private static final int ASLEEP_MILLIS = 50;

    private final Completions source;
    private final LinkConfig.Pace pace;
    private final ReentrantLock serving = new ReentrantLock();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    Operations(Completions source, LinkConfig.Pace pace) {
        this.source = source;
        this.pace = pace;
    }

    /** The queue, to be posted to; only this object drains it. */
    public Completions completions() {
        return source;
    }

    /** Waits until all of {@code gathering} has arrived, {@code deadlineNanos}, or the thread is interrupted. */
    void await(Gathering<?> gathering, long deadlineNanos) {
        if (pace.byHand()) {
            tidy();
            return;
        }
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            while (gathering.isMissing() && deadlineNanos - nowNanos() > 0 && !self.isInterrupted()) {
                if (serving.tryLock()) {
                    serve(gathering, deadlineNanos);
                } else {
                    LockSupport.parkNanos(this, deadlineNanos - nowNanos());
                }
            }
        } finally {
            waiting.remove(self);
            succeed();
        }
    }

    /** Takes what came when nobody waited: late answers must not fill the queue. */
    void tidy() {
        // Nothing under way, nothing late; and to look would read from every connection's socket.
        if (!pace.byHand() && source.expected() == 0) {
            return;
        }
        if (serving.tryLock()) {
            try {
                source.tidy();
            } finally {
                serving.unlock();
            }
            succeed();
        }
    }

    /** By the clock of the node. */
    public long nowNanos() {
        return pace.nanos().getAsLong();
    }

    void destroy() {
        source.destroy();
    }

    private void serve(Gathering<?> gathering, long deadlineNanos) {
        try {
            source.drain();
            if (gathering.isSeveral()) {
                LockSupport.parkNanos(this, GATHER_NANOS);
            }
            while (gathering.isMissing() && !Thread.currentThread().isInterrupted()) {
                source.arm();
                source.drain();
                long leftNanos = deadlineNanos - nowNanos();
                if (!gathering.isMissing() || leftNanos <= 0) {
                    return;
                }
                source.await(Math.clamp(TimeUnit.NANOSECONDS.toMillis(leftNanos), 1, ASLEEP_MILLIS));
                source.drain();
            }
        } catch (IOException ended) {
            // Interrupted, or closed: what has not come is missing, as after the deadline.
            LOG.debug("no longer waits for completions: {}", ended.toString());
            gathering.giveUp();
        } finally {
            serving.unlock();
        }
    }

    /** Lets the next waiter, if there is one, serve the queue. Called after the lock was released. */
    private void succeed() {
        Thread next = waiting.peek();
        if (next != null) {
            LockSupport.unpark(next);
        }
    }
}
