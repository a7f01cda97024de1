package dev.retier.webnode.serve;

import dev.retier.undertow.load.NodeLoad;
import dev.retier.webnode.core.WorkQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.xnio.XnioIoThread;

/** Makes requests wait for the emulated server, without a thread waiting. Thread-safe. */
public final class WorkLine implements NodeLoad {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double capacityUnitsPerSecond;
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkQueue queue;
    private final ScheduledExecutorService timer;

    /** An idle server of that capacity (above 0); {@code timer} only starts continuations, so one serves many. */
    public WorkLine(double capacityUnitsPerSecond, ScheduledExecutorService timer) {
        this.capacityUnitsPerSecond = capacityUnitsPerSecond;
        this.queue = new WorkQueue(capacityUnitsPerSecond, System.nanoTime());
        this.timer = timer;
    }

    /** Runs {@code next} on {@code thread} once {@code units} of work behind all earlier work are done. */
    public void after(XnioIoThread thread, double units, Runnable next) {
        long finishNanos = admit(units);
        Runnable deliver = () -> deliver(finishNanos, next);
        long delayNanos = finishNanos - System.nanoTime();
        if (delayNanos <= 0) {
            thread.execute(deliver);
        } else {
            ScheduledFuture<?> _ = timer.schedule(() -> thread.execute(deliver), delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public double capacityUnitsPerSecond() {
        return capacityUnitsPerSecond;
    }

    /** Time spent working so far, without the backlog; after a stall of the host up to 0.1 s is counted at once. */
    @Override
    public double busySeconds() {
        lock.lock();
        try {
            return queue.busyNanos(System.nanoTime()) / NANOS_PER_SECOND;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public double backlogSeconds() {
        lock.lock();
        try {
            return queue.backlogNanos(System.nanoTime()) / NANOS_PER_SECOND;
        } finally {
            lock.unlock();
        }
    }

    private long admit(double units) {
        lock.lock();
        try {
            return queue.admit(System.nanoTime(), units);
        } finally {
            lock.unlock();
        }
    }

    private void deliver(long finishNanos, Runnable next) {
        lock.lock();
        try {
            queue.delivered(System.nanoTime(), finishNanos);
        } finally {
            lock.unlock();
        }
        next.run();
    }
}
