package dev.retier.state.rpc;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection, at the side that calls. At most so many are under way as the peer has agreed to hold;
 * more wait here, up to a limit, the urgent ones first. A call that its caller has given up is still under way until
 * its answer comes, as the peer is still busy with it. A call is sent once or not at all. Not thread-safe.
 *
 * @param <T> what the owner keeps with a call
 */
public final class Calls<T> {
    private static final long NANOS_PER_MICRO = 1000;

    private final int maxUnderWay;
    private final int maxWaiting;
    private final Map<Priority, Queue<Entry<T>>> waiting = new EnumMap<>(Priority.class);
    private final Map<Long, Entry<T>> open = new HashMap<>();
    private int waitingCount;
    private int underWay;
    private long lastNumber;

    private static final class Entry<T> {
        final Request request;
        final long number;
        final T owner;
        boolean sent;
        boolean givenUp;

        Entry(long number, Request request, T owner) {
            this.number = number;
            this.request = request;
            this.owner = owner;
        }
    }

    /**
     * What is asked.
     *
     * @param kind {@link Kind#CALL} or {@link Kind#NOTE}
     * @param deadlineNanos when the caller gives up, by the clock that all times here are read from
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Request(Kind kind, int function, Priority priority, byte[] body, long deadlineNanos) {}

    /**
     * A call that has ended without an answer.
     *
     * @param sent whether the peer may have done it
     */
    public record Ended<T>(T owner, boolean sent) {}

    /** How a call was cancelled. */
    public enum Cancelled {
        /** It was never sent. */
        WAITING,
        /** It was sent: the peer should be told. */
        SENT,
        /** It has ended before. */
        OVER
    }

    /** No calls. */
    public Calls(int maxUnderWay, int maxWaiting) {
        this.maxUnderWay = maxUnderWay;
        this.maxWaiting = maxWaiting;
        for (Priority priority : Priority.values()) {
            waiting.put(priority, new ArrayDeque<>());
        }
    }

    /** A new call; its number, or nothing if too many wait already. */
    public Optional<Long> begin(Request request, T owner) {
        if (waitingCount >= maxWaiting) {
            return Optional.empty();
        }
        long number = ++lastNumber;
        Entry<T> entry = new Entry<>(number, request, owner);
        open.put(number, entry);
        queue(request.priority()).add(entry);
        waitingCount++;
        return Optional.of(number);
    }

    /** The next call to send, if one may be sent now. */
    public Optional<Message> next(long nowNanos) {
        while (underWay < maxUnderWay) {
            Entry<T> entry = poll();
            if (entry == null) {
                return Optional.empty();
            }
            long leftNanos = entry.request.deadlineNanos() - nowNanos;
            if (leftNanos > 0) {
                entry.sent = true;
                underWay++;
                return Optional.of(message(entry, leftNanos));
            }
        }
        return Optional.empty();
    }

    /**
     * The answer to a call has come.
     *
     * @return whose it is; nothing if its caller has given it up
     */
    public Optional<T> answered(Message answer) throws ProtocolError {
        Entry<T> entry = open.get(answer.call());
        if (entry == null || !entry.sent) {
            throw new ProtocolError("it answers call " + answer.call() + ", which is not under way");
        }
        open.remove(entry.number);
        underWay--;
        return entry.givenUp ? Optional.empty() : Optional.of(entry.owner);
    }

    /** The caller does not want the answer any more. */
    public Cancelled cancel(long number) {
        Entry<T> entry = open.get(number);
        if (entry == null || entry.givenUp) {
            return Cancelled.OVER;
        }
        giveUp(entry);
        return entry.sent ? Cancelled.SENT : Cancelled.WAITING;
    }

    /** Gives up all calls whose deadline has come. */
    public List<Ended<T>> expire(long nowNanos) {
        return end(entry -> entry.request.deadlineNanos() - nowNanos <= 0);
    }

    /** The connection is lost: gives up all calls. */
    public List<Ended<T>> lose() {
        List<Ended<T>> ended = end(_ -> true);
        open.clear();
        underWay = 0;
        return ended;
    }

    /** The earliest deadline of all calls that nobody has given up. */
    public OptionalLong earliestDeadlineNanos() {
        return open.values().stream()
                .filter(entry -> !entry.givenUp)
                .mapToLong(entry -> entry.request.deadlineNanos())
                .reduce((one, other) -> one - other < 0 ? one : other);
    }

    /** Calls that the peer has not answered, those that were given up included. */
    public int underWay() {
        return underWay;
    }

    private List<Ended<T>> end(Predicate<Entry<T>> which) {
        List<Entry<T>> chosen = open.values().stream()
                .filter(entry -> !entry.givenUp && which.test(entry))
                .toList();
        chosen.forEach(this::giveUp);
        return chosen.stream()
                .map(entry -> new Ended<>(entry.owner, entry.sent))
                .toList();
    }

    private void giveUp(Entry<T> entry) {
        entry.givenUp = true;
        if (!entry.sent) {
            open.remove(entry.number);
            if (queue(entry.request.priority()).remove(entry)) {
                waitingCount--;
            }
        }
    }

    private Queue<Entry<T>> queue(Priority priority) {
        return Objects.requireNonNull(waiting.get(priority));
    }

    private @Nullable Entry<T> poll() {
        Entry<T> high = queue(Priority.HIGH).poll();
        Entry<T> next = high != null ? high : queue(Priority.LOW).poll();
        waitingCount -= next == null ? 0 : 1;
        return next;
    }

    private static <T> Message message(Entry<T> entry, long leftNanos) {
        Request request = entry.request;
        int budgetMicros = Math.clamp(leftNanos / NANOS_PER_MICRO, 1, Integer.MAX_VALUE);
        return new Message(
                request.kind(),
                entry.number,
                request.function(),
                request.priority(),
                Status.DONE,
                budgetMicros,
                request.body());
    }
}
