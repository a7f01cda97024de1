package dev.retier.iwarp.net;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes threads when a completion queue that asked for it has something new. Safe for any thread.
 *
 * <p>Waiters park by themselves: a {@code Condition} would make an object for each wait.
 */
public final class CompletionChannel {
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: who waits, the longest first. */
    private final List<Thread> waiters = new ArrayList<>();
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
        Thread first = null;
        lock.lock();
        try {
            int count = Math.min(pending, waiters.size());
            first = count > 0 ? waiters.getFirst() : null;
            for (int i = 1; i < count; i++) {
                LockSupport.unpark(waiters.get(i));
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(first); // without the lock, which it will want
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
        boolean forEver = timeoutMillis < 0;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        Thread self = Thread.currentThread();
        boolean waiting = false;
        while (!Thread.interrupted()) {
            long left = forEver ? 0 : end - System.nanoTime();
            lock.lock();
            try {
                if (pending > 0 || closed || (!forEver && left <= 0)) {
                    waiters.remove(self);
                    return take();
                }
                if (!waiting) {
                    waiters.add(self);
                    waiting = true;
                }
            } finally {
                lock.unlock();
            }
            if (forEver) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, left);
            }
        }
        leave(self);
        throw new InterruptedException("interrupted while waiting for a completion event");
    }

    /** Takes an event, if there is one. The caller holds the lock. */
    private boolean take() {
        if (pending == 0) {
            return false;
        }
        pending--;
        raised = pending > 0;
        return true;
    }

    /** A waiter gives up; if it was woken for an event, another one gets that. */
    private void leave(Thread waiter) {
        lock.lock();
        try {
            waiters.remove(waiter);
        } finally {
            lock.unlock();
        }
        wake();
    }

    /** Wakes every waiter for good. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiters.forEach(LockSupport::unpark);
        } finally {
            lock.unlock();
        }
    }
}
