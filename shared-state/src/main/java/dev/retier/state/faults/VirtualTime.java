package dev.retier.state.faults;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** The one true time of a simulated world and what is due when. Not thread-safe. */
final class VirtualTime {
    private final Queue<Event> due =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
    private long nowNanos;
    private long events;

    private record Event(long atNanos, long number, Runnable action) {}

    long nowNanos() {
        return nowNanos;
    }

    long events() {
        return events;
    }

    void after(long delayNanos, Runnable action) {
        due.add(new Event(nowNanos + delayNanos, events++, action));
    }

    /** Runs what is due until {@code untilNanos}, at which time the world then stands. */
    void run(long untilNanos) {
        Event next = due.peek();
        while (next != null && next.atNanos() <= untilNanos) {
            due.remove();
            nowNanos = next.atNanos();
            next.action().run();
            next = due.peek();
        }
        nowNanos = untilNanos;
    }
}
