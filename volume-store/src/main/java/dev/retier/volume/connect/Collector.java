package dev.retier.volume.connect;

import dev.retier.link.Completions;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who takes what a server has answered: the threads that ask and poll, or the one of the completion queue, which is
 * woken for it. Thread-safe; callers of {@link #collect} and {@link #help} hold no lock.
 */
final class Collector {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

    /** Requests that wait to leave with others, and the one they leave with. */
    private static final int MOST_TOGETHER = 8;

    private final int batchAbove;
    private final AtomicInteger sleeping = new AtomicInteger();
    /** How many requests wait for others to leave with. */
    private final AtomicInteger putOff = new AtomicInteger();

    private volatile boolean isDeep;
    private volatile @Nullable Completions queue;

    Collector(int batchAbove) {
        this.batchAbove = batchAbove;
    }

    void connected(@Nullable Completions of) {
        queue = of;
        divide();
    }

    /** Something was asked for or has ended: so many are under way. */
    void underWay(int count) {
        boolean wasDeep = isDeep;
        // Not back at the same number, else the queue's thread would be woken at every other request.
        isDeep = wasDeep ? count > batchAbove / 2 : count > batchAbove;
        if (wasDeep != isDeep) {
            divide();
        }
    }

    void lost() {
        queue = null;
    }

    boolean isConnected() {
        return queue != null;
    }

    private void divide() {
        Completions now = queue;
        if (now != null) {
            now.leaveToOthers(isDeep && sleeping.get() == 0);
        }
    }

    /**
     * Whether what was asked for leaves with what is asked for next, or with the next look at what has come, as so much
     * is under way; then {@code post} is run by that.
     */
    boolean putsOff(Runnable post) {
        Completions now = queue;
        if (now == null || !isDeep || sleeping.get() > 0 || putOff.incrementAndGet() >= MOST_TOGETHER) {
            putOff.set(0);
            return false;
        }
        now.withNextLook(post);
        return true;
    }

    /**
     * Waits for answers, and takes them, by the calling thread itself, which none else has to wake then; for so long at
     * most. False at once where others have to be woken for answers all the same.
     */
    boolean waits(BooleanSupplier isOver, long nanos) throws InterruptedException {
        Completions now = queue;
        try {
            return now != null && sleeping.get() == 0 && now.await(isOver, nanos);
        } catch (IOException ended) {
            if (Thread.interrupted()) {
                throw (InterruptedException) new InterruptedException().initCause(ended);
            }
            LOG.debug("answers are no longer taken: {}", ended.toString());
            queue = null;
            return false;
        }
    }

    /** A thread that was woken by an answer waits itself the next time, if it can. */
    void waitsNextTime() {
        Completions now = queue;
        if (now != null && sleeping.get() == 0) {
            now.leaveToWaiters();
        }
    }

    /** See {@link Completions#afterwards}. */
    void afterwards(Runnable action) {
        Completions now = queue;
        if (now == null) {
            action.run();
        } else {
            now.afterwards(action);
        }
    }

    /** A thread is about to sleep until it is woken by an answer. */
    void fallsAsleep() {
        if (sleeping.incrementAndGet() == 1) {
            divide();
        }
    }

    void isAwake() {
        if (sleeping.decrementAndGet() == 0 && isDeep) {
            divide();
        }
    }

    /** Takes what has come, as nobody else is woken for it. */
    void collectIfDeep() {
        if (isDeep && sleeping.get() == 0) {
            collect();
        }
    }

    /** Takes what has come; false if another thread is at it, or there is no connection. */
    boolean collect() {
        Completions now = queue;
        try {
            return now != null && now.collect();
        } catch (IOException ended) {
            LOG.debug("answers are no longer taken: {}", ended.toString());
            queue = null;
            return false;
        }
    }

    /** Takes answers for a while, where that was of use lately. */
    void help(BooleanSupplier isOver, long nanos) {
        Completions now = queue;
        if (now != null) {
            now.help(isOver, nanos);
        }
    }
}
