package dev.retier.iwarp.net;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Wakes threads when a completion queue that asked for it has something new. Safe for any thread.
 *
 * <p>Waiters park by themselves: a {@code Condition} would make an object for each wait. One who waits alone, and whom
 * one queue pair wakes again and again, waits in its {@link WaiterSockets}.
 */
public final class CompletionChannel {
    private final ReentrantLock lock = new ReentrantLock();
    private final WaiterSockets sockets = new WaiterSockets(this);
    /** Guarded by lock: who waits, the longest first. */
    private final List<Thread> waiters = new ArrayList<>();
    /** Written under lock: the one who waits in the sockets. */
    private volatile @Nullable Thread server;
    /** Written under lock: whether one thread waits, and no virtual one, which would keep its carrier. */
    private volatile boolean isAlone;
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
                unpark(waiters.get(i));
            }
        } finally {
            lock.unlock();
        }
        unpark(first); // without the lock, which it will want
    }

    private void unpark(@Nullable Thread waiter) {
        if (waiter == null || waiter.equals(Thread.currentThread())) {
            return;
        }
        if (waiter.equals(server)) {
            sockets.wake();
        } else {
            LockSupport.unpark(waiter);
        }
    }

    /** Whether an event waits to be taken. */
    boolean hasPending() {
        return raised;
    }

    /** Whether one thread waits, for an event that has not come yet, and could read one more socket. */
    boolean mayServe() {
        return isAlone && !raised && sockets.hasRoom();
    }

    /** Whether a thread waits in its sockets at this moment. */
    boolean isServing() {
        return server != null;
    }

    /** The sockets that are left to who waits. */
    WaiterSockets sockets() {
        return sockets;
    }

    /** A socket wants to be waited for in another way: who waits in it looks again. Returns whether anybody does. */
    boolean looksAgain() {
        Thread current = server;
        if (current != null && !current.equals(Thread.currentThread())) {
            sockets.wake();
        }
        return current != null;
    }

    /** Makes all who wait see which sockets are left to them. */
    void rouse() {
        lock.lock();
        try {
            waiters.forEach(this::unpark);
        } finally {
            lock.unlock();
        }
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
        boolean isOver = false;
        try {
            while (!Thread.interrupted()) {
                long left = forEver ? Long.MAX_VALUE : end - System.nanoTime();
                boolean serves;
                lock.lock();
                try {
                    if (pending > 0 || closed || left <= 0) {
                        isOver = true;
                        leave(self);
                        return take();
                    }
                    join(self);
                    serves = isAlone && sockets.areAny();
                    if (serves || self.equals(server)) {
                        server = serves ? self : null;
                    }
                } finally {
                    lock.unlock();
                }
                if (serves) {
                    sockets.serve(left);
                } else if (sockets.areAny()) {
                    sockets.giveBack(); // it may park for a lock, and so take a wake-up: events are looked for again
                } else {
                    park(forEver, left);
                }
            }
        } finally {
            if (!isOver) {
                abandon(self);
            }
        }
        throw new InterruptedException("interrupted while waiting for a completion event");
    }

    /** Who was interrupted, or failed, waits no longer: an event that woke it wakes another one. */
    private void abandon(Thread waiter) {
        lock.lock();
        try {
            leave(waiter);
        } finally {
            lock.unlock();
        }
        sockets.giveBack();
        wake();
    }

    private void park(boolean forEver, long nanos) {
        if (forEver) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** The caller holds the lock. */
    private void join(Thread waiter) {
        if (!waiters.contains(waiter)) {
            waiters.add(waiter);
        }
        isAlone = waiters.size() == 1 && !waiter.isVirtual();
    }

    /** The caller holds the lock. */
    private void leave(Thread waiter) {
        waiters.remove(waiter);
        isAlone = waiters.size() == 1 && !waiters.getFirst().isVirtual();
        if (waiter.equals(server)) {
            server = null;
        }
        releaseIfOver();
    }

    /** The caller holds the lock. */
    private void releaseIfOver() {
        if (closed && waiters.isEmpty()) {
            sockets.release();
        }
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

    /** Wakes every waiter for good. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiters.forEach(this::unpark);
            releaseIfOver();
        } finally {
            lock.unlock();
        }
        sockets.giveBack();
    }
}
