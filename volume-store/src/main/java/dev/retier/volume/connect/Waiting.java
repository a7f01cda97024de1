package dev.retier.volume.connect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** How the threads of one program wait. Thread-safe. */
final class Waiting {
    private static final long NO_QUEUE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
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
        if (end.isDone()) {
            return;
        }
        collector.fallsAsleep();
        try {
            end.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException told) {
            return; // by whoever asks how it ended
        } finally {
            collector.isAwake();
        }
    }
}
