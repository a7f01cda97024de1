package dev.retier.webnode.serve;

import dev.retier.webnode.core.Answer;
import dev.retier.webnode.core.ContentCache;
import dev.retier.webnode.upstream.FetchOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A proxy's memory of static answers, with one fetch at a time per object. Thread-safe. */
public final class StaticStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final ContentCache<Answer> cache;
    /** Bounded by the requests in flight: each fetch belongs to one. */
    private final Map<String, CompletableFuture<FetchOutcome>> fetches = new HashMap<>();

    /** An empty memory of at most {@code limitBytes}. */
    public StaticStore(long limitBytes) {
        this.cache = new ContentCache<>(limitBytes);
    }

    /** What a request for an object should do. */
    sealed interface Lookup {
        /** Answer from memory. */
        record Hit(Answer answer) implements Lookup {}

        /** Wait for the fetch that another request has begun. */
        record Join(CompletableFuture<FetchOutcome> fetch) implements Lookup {}

        /** Fetch it, then call {@link #fetched}. */
        record Lead() implements Lookup {}
    }

    Lookup lookup(String key, long nowNanos) {
        lock.lock();
        try {
            Optional<Answer> kept = cache.get(key, nowNanos);
            if (kept.isPresent()) {
                return new Lookup.Hit(kept.get());
            }
            CompletableFuture<FetchOutcome> running = fetches.get(key);
            if (running != null) {
                return new Lookup.Join(running);
            }
            fetches.put(key, new CompletableFuture<>());
            return new Lookup.Lead();
        } finally {
            lock.unlock();
        }
    }

    /** The fetch that a {@link Lookup.Lead} began is over: keeps the answer as far as it allows, wakes the waiting. */
    void fetched(String key, FetchOutcome outcome, long nowNanos) {
        CompletableFuture<FetchOutcome> waiting;
        lock.lock();
        try {
            keep(key, outcome, nowNanos);
            waiting = fetches.remove(key);
        } finally {
            lock.unlock();
        }
        if (waiting != null) {
            waiting.complete(outcome);
        }
    }

    /** Answers kept now. */
    public int entries() {
        lock.lock();
        try {
            return cache.entries();
        } finally {
            lock.unlock();
        }
    }

    /** Memory they take. */
    public long bytes() {
        lock.lock();
        try {
            return cache.bytes();
        } finally {
            lock.unlock();
        }
    }

    private void keep(String key, FetchOutcome outcome, long nowNanos) {
        if (outcome instanceof FetchOutcome.Answered answered
                && answered.answer().freshSeconds() > 0) {
            Answer answer = answered.answer();
            long expiresNanos = nowNanos + TimeUnit.SECONDS.toNanos(answer.freshSeconds());
            cache.put(key, answer, answer.body().length, expiresNanos);
        }
    }
}
