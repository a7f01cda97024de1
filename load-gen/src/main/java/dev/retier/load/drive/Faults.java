package dev.retier.load.drive;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mistakes of the generator itself: exceptions where there should be none. They neither stop a client nor stay
 * unnoticed. Thread-safe.
 */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private final AtomicLong count = new AtomicLong();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    /** Counts {@code fault}; the first one of a run is logged with its stack trace. */
    void add(Throwable fault) {
        count.incrementAndGet();
        if (first.compareAndSet(null, fault.toString())) {
            LOG.error("the load generator made a mistake; please report this", fault);
        }
    }

    long count() {
        return count.get();
    }

    /** The first one, or null when there was none. */
    @Nullable
    String first() {
        return first.get();
    }
}
