package dev.retier.fabric;

import dev.retier.link.NodeId;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a node on which everything happens that is due at a time, or must not be done with a lock held.
 * Whatever runs here is short. Thread-safe; when it is closed what is due later is dropped.
 */
public final class Timers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Timers.class);
    private static final long JOIN_MILLIS = 2000;

    private final ScheduledThreadPoolExecutor executor;

    /** Nothing is due. */
    public Timers(NodeId self) {
        this.executor = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform().name("fabric-clock-" + self).daemon().factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs {@code task} after {@code delayNanos}, at once if that is not positive; cancelling it forgets it. */
    public Future<?> after(long delayNanos, Runnable task) {
        return executor.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
    }

    /** Runs {@code task} soon. */
    public void soon(Runnable task) {
        executor.execute(guarded(task));
    }

    /** Runs {@code task} again and again, at first at once, with {@code pauseNanos} between. */
    public Future<?> every(long pauseNanos, Runnable task) {
        return executor.scheduleWithFixedDelay(guarded(task), 0, pauseNanos, TimeUnit.NANOSECONDS);
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException fault) {
                LOG.error("what was due could not be done", fault);
            }
        };
    }

    @Override
    public void close() {
        executor.shutdown();
        try {
            boolean _ = executor.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs one action at the earliest moment that anybody has asked for. Thread-safe. */
    public static final class Alarm {
        private final Timers timers;
        private final Runnable action;
        /** Null while nobody has asked. */
        private final AtomicReference<@Nullable Due> next = new AtomicReference<>();

        private record Due(long nanos) {}

        /** Nobody has asked yet. */
        public Alarm(Timers timers, Runnable action) {
            this.timers = timers;
            this.action = action;
        }

        /** It runs at {@code nanos} at the latest, by {@link System#nanoTime}. It may run once more than it must. */
        public void at(long nanos) {
            Due planned = next.get();
            while (planned == null || nanos - planned.nanos() < 0) {
                Due mine = new Due(nanos);
                if (next.compareAndSet(planned, mine)) {
                    Future<?> _ = timers.after(nanos - System.nanoTime(), () -> ring(mine));
                    return;
                }
                planned = next.get();
            }
        }

        /** Whoever asks from here on asks for a run of its own. */
        private void ring(Due mine) {
            next.compareAndSet(mine, null);
            action.run();
        }
    }
}
