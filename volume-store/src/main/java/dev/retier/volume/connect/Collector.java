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

    private final int batchAbove;
    private final AtomicInteger sleeping = new AtomicInteger();
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

    /** A thread is about to sleep until it is woken by an answer. */
    void fallsAsleep() {
        if (sleeping.incrementAndGet() == 1 && isDeep) {
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
