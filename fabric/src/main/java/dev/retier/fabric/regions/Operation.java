package dev.retier.fabric.regions;

import dev.retier.fabric.directory.RegionFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One operation through a handle, and the waiting for it. Thread-safe. */
abstract class Operation<T> {
    private static final String LATE = "the deadline passed";

    final MappedRegion region;
    final CompletableFuture<T> done = new CompletableFuture<>();

    Operation(MappedRegion region) {
        this.region = region;
    }

    /** Refuses, by {@link RegionException}, what the handle must not do. */
    abstract void check();

    /** The handle has been entered for it, and will be left by it. */
    abstract void begin();

    /** It ends without having begun. */
    abstract void refuse(RegionException why);

    /** The caller waits no more. When it returns, {@link #done} has ended and the caller's memory is left alone. */
    abstract void abandon(RegionFailure why, String detail);

    /** Begins; its end, which {@link #abandon} brings when it is late, is the caller's own. */
    final CompletableFuture<T> within(Duration deadline) {
        start();
        if (done.isDone()) {
            return done.copy();
        }
        Future<?> late =
                region.regions.fabric.timers().after(deadline.toNanos(), () -> abandon(RegionFailure.TIMED_OUT, LATE));
        return done.whenComplete((_, _) -> late.cancel(false));
    }

    /** Begins and waits; it may end well at the last moment. */
    final T await(Duration deadline) {
        start();
        try {
            return done.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            abandon(RegionFailure.TIMED_OUT, LATE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            abandon(RegionFailure.TIMED_OUT, "interrupted");
        } catch (ExecutionException failed) {
            // It is thrown as it is, below.
        }
        if (done.isCompletedExceptionally()) {
            throw (RegionException) done.exceptionNow();
        }
        return done.resultNow();
    }

    private void start() {
        try {
            check();
            region.enter();
        } catch (RegionException refused) {
            refuse(refused);
            return;
        }
        begin();
    }
}
