package dev.retier.volume.connect;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a program has started at a volume and waits for together. Thread-safe. */
final class Started {
    private final Waiting waiting;
    private final AtomicInteger underWay = new AtomicInteger();
    /** How many have ended of which nobody was told. */
    private final AtomicInteger untold = new AtomicInteger();
    /** Completed by the next end; null while nobody waits for it. */
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> nextEnd = new AtomicReference<>();

    Started(Waiting waiting) {
        this.waiting = waiting;
    }

    /** One more; waits while there are too many. */
    Pending begin(Consumer<@Nullable IOException> whenOver) {
        while (underWay.get() >= RemoteVolume.MOST_UNDER_WAY) {
            CompletableFuture<@Nullable Void> next = awaited();
            if (underWay.get() >= RemoteVolume.MOST_UNDER_WAY) {
                waiting.until(next);
            }
        }
        underWay.incrementAndGet();
        return new Pending(waiting, whenOver, this::ended);
    }

    private CompletableFuture<@Nullable Void> awaited() {
        CompletableFuture<@Nullable Void> fresh = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> there = nextEnd.compareAndExchange(null, fresh);
        return there == null ? fresh : there;
    }

    private void ended() {
        underWay.decrementAndGet();
        untold.incrementAndGet();
        CompletableFuture<@Nullable Void> waited = nextEnd.getAndSet(null);
        if (waited != null) {
            waited.complete(null);
        }
    }

    int count() {
        return underWay.get();
    }

    /** How many have ended since this was asked last. */
    int told() {
        return untold.getAndSet(0);
    }

    /** Waits for one more end, unless nothing is under way, for so long at most; as {@link #told}. */
    int await(Duration most) throws InterruptedException {
        long sinceNanos = System.nanoTime();
        long left = most.toNanos();
        int ended = told();
        while (ended == 0 && underWay.get() > 0 && left > 0) {
            CompletableFuture<@Nullable Void> next = awaited();
            if (untold.get() == 0 && underWay.get() > 0) {
                var _ = waiting.within(next, left);
            }
            ended = told();
            left = most.toNanos() - (System.nanoTime() - sinceNanos);
        }
        return ended;
    }
}
