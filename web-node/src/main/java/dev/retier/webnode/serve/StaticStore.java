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

        /** Fetch it, then call {@link #fetched}; {@link #isOver} in any case, when the request is over. */
        record Lead(String key, CompletableFuture<FetchOutcome> fetch) implements Lookup {}
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
            Lookup.Lead lead = new Lookup.Lead(key, new CompletableFuture<>());
            fetches.put(key, lead.fetch());
            return lead;
        } finally {
            lock.unlock();
        }
    }

    /** The fetch that {@code lead} began is over: keeps the answer as far as it allows, wakes the waiting. */
    void fetched(Lookup.Lead lead, FetchOutcome outcome, long nowNanos) {
        lock.lock();
        try {
            fetches.remove(lead.key(), lead.fetch());
            keep(lead.key(), outcome, nowNanos);
        } finally {
            lock.unlock();
            lead.fetch().complete(outcome);
        }
    }

    /**
     * The request that {@code lead} was given to is over. If it has failed before its fetch was told of, those who wait
     * for it are told now, and the next request begins anew; else nothing happens.
     */
    void isOver(Lookup.Lead lead) {
        lock.lock();
        try {
            fetches.remove(lead.key(), lead.fetch());
        } finally {
            lock.unlock();
        }
        lead.fetch().complete(new FetchOutcome.Unanswered("the request that was to fetch it has failed"));
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
