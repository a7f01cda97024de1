package dev.retier.link;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is put off until a thread has told of all completions that it took together, or has been at it for a while.
 * Whoever takes something out does it. Thread-safe; one thread tells at a time.
 */
final class PutOff {
    private static final Logger LOG = LoggerFactory.getLogger(PutOff.class);

    /** For how long others leave to a thread that tells of completions what they have to do. */
    private static final long PUT_OFF_NANOS = 100_000;

    private static final long NOT_TELLING = 0;

    private final LongSupplier clock;
    private final Set<Runnable> actions = ConcurrentHashMap.newKeySet();
    /** Since when nothing is done of what was put off; an odd number, or {@link #NOT_TELLING}. */
    private volatile long putOffSinceNanos = NOT_TELLING;
    /** When the thread took what it tells of; as above. */
    private volatile long tookSinceNanos = NOT_TELLING;

    PutOff(LongSupplier clock) {
        this.clock = clock;
    }

    /** A thread has taken so many completions. */
    void begins(int count) {
        if (count > 0) {
            tookSinceNanos = clock.getAsLong() | 1;
            putOffSinceNanos = tookSinceNanos;
        }
    }

    /** It has told of one of them: nothing is put off for long. */
    void told() {
        long nowNanos = clock.getAsLong();
        if (nowNanos - putOffSinceNanos >= PUT_OFF_NANOS) {
            doAll();
            putOffSinceNanos = nowNanos | 1;
        }
    }

    /** It has told of all. */
    void ended() {
        putOffSinceNanos = NOT_TELLING;
        tookSinceNanos = NOT_TELLING;
    }

    /** Whether a thread tells of completions that it took a while ago. */
    boolean isBehind() {
        long since = tookSinceNanos;
        return since != NOT_TELLING && clock.getAsLong() - since >= PUT_OFF_NANOS;
    }

    /** A handler may take its time; nobody has to wait for that. */
    private boolean isJustTelling() {
        long since = putOffSinceNanos;
        return since != NOT_TELLING && clock.getAsLong() - since < PUT_OFF_NANOS;
    }

    /**
     * Does {@code action} at once, or when it is its turn.
     *
     * @param isOwn whether the calling thread tells of completions
     */
    void afterwards(Runnable action, boolean isOwn) {
        if (!isOwn && !isJustTelling()) {
            action.run();
            return;
        }
        actions.add(action);
        if (!isOwn && !isJustTelling()) {
            doAll();
        }
    }

    /** Does {@code action} with the next {@link #doAll}. */
    void add(Runnable action) {
        actions.add(action);
    }

    /** Does all that was put off. */
    void doAll() {
        Iterator<Runnable> due = actions.iterator();
        while (due.hasNext()) {
            Runnable action = due.next();
            if (actions.remove(action)) {
                guarded(action);
            }
        }
    }

    private static void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | OutOfMemoryError fault) {
            LOG.error("what was put off could not be done", fault);
        }
    }
}
