package dev.retier.link;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for several operations at once, so that a look at a whole cell wakes its thread once and not once per node.
 *
 * <p>Made, added to and awaited by one thread; operations may end on any.
 *
 * @param <K> names an operation
 */
public final class Gathering<K> {
    private final Thread owner = Thread.currentThread();
    private final Map<K, Work> works = new HashMap<>();
    private final AtomicInteger missing = new AtomicInteger();
    private @Nullable Operations operations;
    private boolean isGivenUp;

    /** For the calling thread, which will await it. */
    public Gathering() {}

    /**
     * One more operation, which is about to be posted and {@code on} will tell of.
     *
     * @param giveBack takes the buffer when neither the device nor the caller needs it any more
     */
    public Work add(K key, Operations on, MemorySegment buffer, Consumer<MemorySegment> giveBack) {
        operations = on;
        missing.incrementAndGet();
        Work work = new Work(buffer, this, giveBack);
        works.put(key, work);
        return work;
    }

    /** One of them has ended. */
    void arrived() {
        if (missing.decrementAndGet() == 0 && !owner.equals(Thread.currentThread())) {
            LockSupport.unpark(owner);
        }
    }

    boolean isMissing() {
        return missing.get() > 0 && !isGivenUp;
    }

    boolean isSeveral() {
        return missing.get() > 1;
    }

    /** What has not arrived will not. For the owner. */
    void giveUp() {
        isGivenUp = true;
    }

    /**
     * Waits until all have ended, the monotonic clock shows {@code deadlineNanos}, or the thread is interrupted; then
     * shows each to {@code judge}, which must not keep it.
     */
    public void await(long deadlineNanos, BiConsumer<K, Work> judge) {
        Operations on = operations;
        if (on != null && isMissing()) {
            on.await(this, deadlineNanos);
        }
        try {
            works.forEach(judge);
        } finally {
            works.values().forEach(Work::leave);
        }
    }
}
