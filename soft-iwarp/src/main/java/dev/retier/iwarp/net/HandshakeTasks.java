package dev.retier.iwarp.net;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread, made when first needed, that does what takes long in TLS handshakes (signatures and certificates, a
 * millisecond or so each), so that the loop serves its connections meanwhile. Safe for any thread.
 */
final class HandshakeTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeTasks.class);

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final TaskShares<Runnable> shares = TaskShares.begin(System.nanoTime());
    private @Nullable Thread thread;
    private boolean isClosed;

    /** No thread yet. */
    HandshakeTasks(String name) {
        this.name = name;
    }

    /** Runs it soon, unless this is closed first. */
    void run(boolean isExpected, Runnable task) {
        lock.lock();
        try {
            shares.add(task, isExpected);
            changed.signal();
            if (thread == null && !isClosed) {
                Thread made = new Thread(this::work, name);
                made.setDaemon(true);
                made.start();
                thread = made;
            }
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        try {
            for (Runnable task = take(); task != null; task = take()) {
                long begunNanos = System.nanoTime();
                try {
                    task.run();
                } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
                    LOG.error("{}: a task failed", name, e);
                }
                ended(begunNanos);
            }
        } catch (InterruptedException e) {
            LOG.error("{} was interrupted; TLS connections can no longer be made", name, e);
        }
    }

    private @Nullable Runnable take() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed) {
                long nowNanos = System.nanoTime();
                Runnable next = shares.next(nowNanos);
                if (next != null) {
                    return next;
                }
                long waitNanos = shares.waitNanos(nowNanos);
                if (waitNanos < 0) {
                    changed.await();
                } else {
                    long leftNanos = changed.awaitNanos(Math.max(waitNanos, TimeUnit.MICROSECONDS.toNanos(1)));
                    LOG.trace("{} has waited for a stranger's turn, {} ns too short", name, leftNanos);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void ended(long begunNanos) {
        lock.lock();
        try {
            shares.ended(begunNanos, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread after the present task. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
