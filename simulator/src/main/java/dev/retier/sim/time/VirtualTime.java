package dev.retier.sim.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one true time of a simulated world. Events of requests are numbers; those of agents, which are few, are tasks.
 * Not thread-safe.
 */
public final class VirtualTime {
    /** The kind of event that runs a task. */
    private static final int TASK = EventQueue.MAX_KIND;

    private final EventQueue queue = new EventQueue();
    private final List<@Nullable Runnable> tasks = new ArrayList<>();
    private int[] free = new int[16];
    private int freeCount;

    /** What is to be done with an event that is no task. */
    @FunctionalInterface
    public interface Handler {
        /** Handles one event; {@code kind} and {@code subject} are those of {@link #add}. */
        void on(int kind, int subject);
    }

    /** Now. */
    public long nowNanos() {
        return queue.nowNanos();
    }

    /** How many events were added so far. */
    public long events() {
        return queue.added();
    }

    /** Makes an event due at {@code atNanos}; kinds are 0 to 14. */
    public void add(long atNanos, int kind, int subject) {
        queue.add(atNanos, kind, subject);
    }

    /** Runs {@code task} after {@code delayNanos}. */
    public void after(long delayNanos, Runnable task) {
        int place;
        if (freeCount > 0) {
            place = free[--freeCount];
            tasks.set(place, task);
        } else {
            place = tasks.size();
            tasks.add(task);
        }
        queue.add(queue.nowNanos() + delayNanos, TASK, place);
    }

    /**
     * Goes on by one event.
     *
     * @return false when nothing is due until {@code untilNanos}
     */
    public boolean step(long untilNanos, Handler handler) {
        if (queue.nextNanos() > untilNanos) {
            return false;
        }
        queue.advance();
        if (queue.kind() == TASK) {
            runTask(queue.subject());
        } else {
            handler.on(queue.kind(), queue.subject());
        }
        return true;
    }

    /** Runs the tasks that are due until {@code untilNanos}; for a world without other events. */
    public void run(long untilNanos) {
        boolean isMore = true;
        while (isMore) {
            isMore = step(untilNanos, (kind, _) -> {
                throw new IllegalStateException("an event of kind " + kind + " in a world of tasks");
            });
        }
        queue.standAt(untilNanos);
    }

    private void runTask(int place) {
        Runnable task = tasks.set(place, null);
        if (freeCount == free.length) {
            free = java.util.Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = place;
        if (task == null) {
            throw new IllegalStateException("a task ran twice");
        }
        task.run();
    }
}
