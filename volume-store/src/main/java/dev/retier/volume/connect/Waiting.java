package dev.retier.volume.connect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** How the threads of one program wait. Thread-safe. */
final class Waiting {
    private static final long NO_QUEUE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Who waits for answers itself looks so often whether what it waits for has ended in another way. */
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long FOREVER = Long.MAX_VALUE;

    private final Collector collector;
    private final long pollNanos;
    private volatile CompletionMode mode;

    Waiting(Collector collector, Completion completion) {
        this.collector = collector;
        this.pollNanos = completion.pollFor().toNanos();
        this.mode = completion.mode();
    }

    void mode(CompletionMode next) {
        mode = next;
    }

    void collect() {
        collector.collect();
    }

    void collectIfDeep() {
        collector.collectIfDeep();
    }

    /** See {@link Collector#putsOff}. */
    boolean putsOff(Runnable post) {
        return collector.putsOff(post);
    }

    /** See {@link Collector#afterwards}. */
    void afterwards(Runnable action) {
        collector.afterwards(action);
    }

    /** Something is begun that no thread waits for, so that somebody must be woken for its answer. */
    void begins() {
        collector.fallsAsleep();
    }

    /** It has ended. */
    void ends() {
        collector.isAwake();
    }

    /** Waits for it, whoever interrupts. */
    void until(CompletableFuture<?> end) {
        boolean isInterrupted = false;
        while (!end.isDone()) {
            try {
                var _ = within(end, FOREVER);
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for it; false if that took longer. */
    boolean within(CompletableFuture<?> end, long nanos) throws InterruptedException {
        long sinceNanos = System.nanoTime();
        switch (mode) {
            case POLL -> {
                while (!end.isDone() && System.nanoTime() - sinceNanos < nanos) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    if (!collector.isConnected()) {
                        LockSupport.parkNanos(this, NO_QUEUE_NANOS);
                    } else if (!collector.collect()) {
                        Thread.onSpinWait();
                    }
                }
            }
            case ADAPTIVE -> {
                // A virtual thread would keep its carrier from others meanwhile.
                if (Thread.interrupted()) {
                    throw new InterruptedException(); // before it does what others have put off
                }
                if (!end.isDone() && !Thread.currentThread().isVirtual()) {
                    collector.help(end::isDone, Math.min(pollNanos, nanos));
                }
                sleep(end, nanos);
            }
            case WAIT -> sleep(end, nanos);
        }
        return end.isDone();
    }

    private void sleep(CompletableFuture<?> end, long nanos) throws InterruptedException {
        long sinceNanos = System.nanoTime();
        long left = nanos;
        boolean isWaiting = !Thread.currentThread().isVirtual();
        while (isWaiting && !end.isDone() && left > 0) {
            isWaiting = collector.waits(end::isDone, Math.min(left, MOST_NANOS));
            left = nanos - (System.nanoTime() - sinceNanos);
        }
        if (!end.isDone() && left > 0) {
            sleepUntilWoken(end, left);
        }
    }

    private void sleepUntilWoken(CompletableFuture<?> end, long nanos) throws InterruptedException {
        collector.fallsAsleep();
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException told) {
            return; // by whoever asks how it ended
        } finally {
            collector.isAwake();
            if (!Thread.currentThread().isVirtual()) {
                collector.waitsNextTime();
            }
        }
    }
}
