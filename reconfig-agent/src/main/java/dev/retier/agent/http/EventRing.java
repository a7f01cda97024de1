package dev.retier.agent.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * The newest events of an agent, numbered from 1, so that a stream of them that was cut goes on where it was. A number
 * is told with the life of the agent that gave it: of another life it means nothing. Thread-safe, bounded.
 */
public final class EventRing {
    static final int MOST = 1_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final String life;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    /** Guarded by the lock, as the number is. */
    private final Deque<Event> events = new ArrayDeque<>();

    private long newest;

    /** What an event tells of. */
    public enum Kind {
        /** A decision that is not the same as the one before. */
        DECISION,
        /** A move that has come further. */
        MOVE,
        /** A command of an operator that has ended. */
        COMMAND
    }

    /**
     * One event.
     *
     * @param number its own
     * @param kind what it tells of
     * @param json one object
     */
    record Event(long number, Kind kind, String json) {}

    /**
     * For one life of an agent.
     *
     * @param life which no other life of it has; letters and digits
     */
    public EventRing(String life) {
        this.life = life;
    }

    /** One more; never waits for those who read. */
    public void add(Kind kind, String json) {
        lock.lock();
        try {
            newest++;
            events.addLast(new Event(newest, kind, json));
            if (events.size() > MOST) {
                events.removeFirst();
            }
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Of the newest; 0 before the first. */
    long newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    /** Those after that number that are still here, the oldest first. */
    List<Event> after(long number) {
        lock.lock();
        try {
            List<Event> later = new ArrayList<>();
            events.stream().filter(event -> event.number > number).forEach(later::add);
            return later;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is one after that number, for so long at most. */
    void await(long number, Duration patience) throws InterruptedException {
        long leftNanos = patience.toNanos();
        lock.lock();
        try {
            while (newest <= number && leftNanos > 0) {
                leftNanos = added.awaitNanos(leftNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What a client is told of it, and tells when it comes again: of visible ASCII. */
    String id(Event event) {
        return life + "-" + event.number;
    }

    /** The number in such an id; empty for one of another life, or that is none. */
    OptionalLong number(String id) {
        String digits = id.startsWith(life + "-") ? id.substring(life.length() + 1) : "";
        if (!NUMBER.matcher(digits).matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(digits);
        return number <= newest() ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** Whether events after that number are gone already. */
    boolean hasLost(long number) {
        lock.lock();
        try {
            return !events.isEmpty() && number + 1 < events.getFirst().number;
        } finally {
            lock.unlock();
        }
    }
}
