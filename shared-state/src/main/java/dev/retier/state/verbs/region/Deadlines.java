package dev.retier.state.verbs.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Ends operations at their deadlines. Nearly all end long before, so to begin to watch one and to forget it is two
 * links of a list; only the next moment at which one may be due is given to the executor. Thread-safe.
 *
 * <p>A wheel of slots: an operation is in the slot of its deadline, modulo the wheel. It ends at its deadline at the
 * earliest and {@value #TICK_MILLIS} ms late at most, as far as the executor is in time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a turn does not fail, and none is taken back
final class Deadlines {
    private static final int SLOTS = 512;
    private static final long TICK_MILLIS = 4;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
    /** Longer than anybody waits, and short enough to be added to any time. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 4;

    private final ScheduledExecutorService executor;
    private final long originNanos = System.nanoTime();
    private final List<Slot> wheel =
            IntStream.range(0, SLOTS).mapToObj(_ -> new Slot()).toList();
    /** All deadlines before this tick are over. Owned by the turn. */
    private long turned;
    /** When the next turn will be; {@link Long#MAX_VALUE} if none is to come. */
    private volatile long nextTick = Long.MAX_VALUE;

    /** What is watched, in the list of its slot. */
    static final class Watched {
        private final long tick;
        private final Runnable end;
        private @Nullable Watched before;
        private @Nullable Watched after;
        private boolean isListed;

        private Watched(long tick, Runnable end) {
            this.tick = tick;
            this.end = end;
        }
    }

    /** A list, newest first. Guarded by itself, as its links are. */
    private static final class Slot {
        private @Nullable Watched first;

        synchronized void add(Watched added) {
            Watched next = first;
            added.after = next;
            added.isListed = true;
            if (next != null) {
                next.before = added;
            }
            first = added;
        }

        synchronized void remove(Watched gone) {
            if (!gone.isListed) {
                return;
            }
            gone.isListed = false;
            Watched before = gone.before;
            Watched after = gone.after;
            if (before == null) {
                first = after;
            } else {
                before.after = after;
            }
            if (after != null) {
                after.before = before;
            }
            gone.before = null;
            gone.after = null;
        }

        /** Takes out what is due at {@code tick}. */
        synchronized void takeDue(long tick, List<Watched> into) {
            for (Watched each = first; each != null; ) {
                Watched next = each.after;
                if (each.tick <= tick) {
                    into.add(each);
                    remove(each);
                }
                each = next;
            }
        }

        synchronized boolean isEmpty() {
            return first == null;
        }
    }

    /**
     * None is watched.
     *
     * @param executor of one thread
     */
    Deadlines(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    /** Runs {@code end} after {@code delay} on the executor, unless it is forgotten before. */
    Watched watch(Runnable end, Duration delay) {
        long sinceOrigin = System.nanoTime() - originNanos + Math.min(delay.toNanos(), MAX_NANOS);
        Watched watched = new Watched(sinceOrigin / TICK_NANOS + 1, end);
        slot(watched.tick).add(watched);
        if (watched.tick < nextTick) {
            turnAt(watched.tick);
        }
        return watched;
    }

    /** It has ended by itself. */
    void forget(Watched watched) {
        slot(watched.tick).remove(watched);
    }

    private Slot slot(long tick) {
        return wheel.get((int) (tick % SLOTS));
    }

    /** There may be more turns than there need be; none is missing. */
    private synchronized void turnAt(long tick) {
        if (tick < nextTick) {
            nextTick = tick;
            long delayNanos = tick * TICK_NANOS - (System.nanoTime() - originNanos);
            executor.schedule(this::turn, delayNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Ends what is due. */
    private void turn() {
        // Whoever comes from here on asks for a turn of its own, or is found below.
        nextTick = Long.MAX_VALUE;
        long now = (System.nanoTime() - originNanos) / TICK_NANOS;
        List<Watched> due = new ArrayList<>();
        for (long tick = Math.max(turned, now - SLOTS + 1); tick <= now; tick++) {
            slot(tick).takeDue(now, due);
        }
        turned = now;
        LongStream.rangeClosed(now + 1, now + SLOTS)
                .filter(tick -> !slot(tick).isEmpty())
                .findFirst()
                .ifPresent(this::turnAt);
        due.forEach(each -> each.end.run());
    }
}
