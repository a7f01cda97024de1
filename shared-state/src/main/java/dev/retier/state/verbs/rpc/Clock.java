package dev.retier.state.verbs.rpc;

import dev.retier.state.NodeId;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that ends calls at their deadlines, and does what must not be done with a lock held. Sleeps until the
 * earliest deadline. Thread-safe.
 */
final class Clock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Clock.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_MILLIS = 2000;

    private final Round round;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile long wakeNanos = System.nanoTime();
    private volatile boolean open = true;

    /** What is due. */
    interface Round {
        /** Ends what is due at {@code nowNanos}; returns when the next is. */
        OptionalLong end(long nowNanos);
    }

    Clock(NodeId self, Round round) {
        this.round = round;
        this.thread = Thread.ofPlatform().name("fabric-clock-" + self).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Something will be due at {@code deadlineNanos}. */
    void dueAt(long deadlineNanos) {
        if (deadlineNanos - wakeNanos < 0) {
            LockSupport.unpark(thread);
        }
    }

    /** Runs {@code task} soon. */
    void later(Runnable task) {
        tasks.add(task);
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        open = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (open) {
            turn();
            long left = wakeNanos - System.nanoTime();
            if (left > 0 && tasks.isEmpty() && open) {
                LockSupport.parkNanos(this, left);
            }
        }
        turn();
    }

    private void turn() {
        try {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            long now = System.nanoTime();
            wakeNanos = now + IDLE_NANOS;
            long next = round.end(now).orElse(now + IDLE_NANOS);
            wakeNanos = next - wakeNanos < 0 ? next : wakeNanos;
        } catch (RuntimeException fault) {
            LOG.error("a deadline could not be handled", fault);
        }
    }
}
