package dev.retier.iwarp.net;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Who comes next of those whose TLS handshake needs the processor: first whoever this process connects to and those
 * from expected addresses; strangers are served a quarter of the time at most, however many there are. Pure; times are
 * of one monotonic clock, in nanoseconds.
 *
 * @param <T> a task
 */
final class TaskShares<T> {
    /** After each task of a stranger its time times this many passes before the next one. */
    private static final int REST = 3;

    private final ArrayDeque<T> expected = new ArrayDeque<>();
    private final ArrayDeque<T> strangers = new ArrayDeque<>();
    private long strangersFromNanos;
    private boolean isStrangers;

    /** One more, at the end of its queue. Queues are as long as there are connections in start-up. */
    void add(T task, boolean isExpected) {
        (isExpected ? expected : strangers).add(task);
    }

    /** The next one to run now; null if there is none, or none yet. */
    @Nullable
    T next(long nowNanos) {
        isStrangers = expected.isEmpty();
        if (!isStrangers) {
            return expected.poll();
        }
        return nowNanos - strangersFromNanos >= 0 ? strangers.poll() : null;
    }

    /** How long to wait for one that is there but not due; negative if there is none at all. */
    long waitNanos(long nowNanos) {
        if (!expected.isEmpty()) {
            return 0;
        }
        return strangers.isEmpty() ? -1 : Math.max(0, strangersFromNanos - nowNanos);
    }

    /** The one that {@link #next} gave has taken so long. */
    void ended(long begunNanos, long nowNanos) {
        if (isStrangers) {
            strangersFromNanos = nowNanos + REST * (nowNanos - begunNanos);
        }
    }

    /** At first nobody rests. */
    static <T> TaskShares<T> begin(long nowNanos) {
        TaskShares<T> shares = new TaskShares<>();
        shares.strangersFromNanos = nowNanos;
        return shares;
    }
}
