package dev.retier.iwarp.net;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes threads when a completion queue that asked for it has something new. Safe for any thread. */
public final class CompletionChannel {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    /** Guarded by lock: events raised and not taken. */
    private int pending;
    /** Written under lock: whether {@link #pending} is above 0. */
    private volatile boolean raised;
    /** Guarded by lock. */
    private boolean closed;

    /** Raises an event; who waits already learns of it by {@link #wake} only. */
    void raise() {
        lock.lock();
        try {
            pending++;
            raised = true;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a waiter for each event that nobody has taken. */
    void wake() {
        lock.lock();
        try {
            for (int i = 0; i < pending; i++) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether an event waits to be taken. */
    boolean hasPending() {
        return raised;
    }

    /**
     * Takes one event, waiting for it.
     *
     * @param timeoutMillis how long to wait at most: 0 not at all, negative for ever
     * @return false if none came, or the channel was closed
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean await(long timeoutMillis) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lockInterruptibly();
        try {
            while (pending == 0 && !closed) {
                if (timeoutMillis < 0) {
                    arrived.await();
                } else if (left <= 0) {
                    return false;
                } else {
                    left = arrived.awaitNanos(left);
                }
            }
            if (pending == 0) {
                return false;
            }
            pending--;
            raised = pending > 0;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes every waiter for good. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
