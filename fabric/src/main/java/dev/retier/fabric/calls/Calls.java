package dev.retier.fabric.calls;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param <T> whose a call is; each has one
 */
public final class Calls<T> {
    private static final long NANOS_PER_MICRO = 1000;

    private final int maxUnderWay;
    private final int maxWaiting;
    private final PriorityGate gate;
    private final Queue<Entry<T>> high = new ArrayDeque<>();
    private final Queue<Entry<T>> low = new ArrayDeque<>();
    /** Until they have ended for their callers. */
    private final Map<T, Entry<T>> open = new LinkedHashMap<>();
    /** By call number, until they are answered. */
    private final Map<Long, Entry<T>> sent = new HashMap<>();

    private long lastNumber;

    private static final class Entry<T> {
        final Request request;
        final T owner;
        /** Drawn when it is sent, so that the peer sees them grow; 0 before. */
        long number;

        boolean givenUp;

        Entry(Request request, T owner) {
            this.request = request;
            this.owner = owner;
        }
    }

    /**
     * What is asked.
     *
     * @param kind {@link Kind#CALL} or {@link Kind#ONE_WAY}
     * @param deadlineNanos when the caller gives up, by the clock that all times here are read from
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Request(Kind kind, int function, Priority priority, byte[] body, long deadlineNanos) {}

    /**
     * A call that has ended without an answer.
     *
     * @param number what the peer knows it by; 0 if it was not sent, and will not be
     */
    public record Ended<T>(T owner, long number) {
        /** Whether the peer may have done it. */
        public boolean sent() {
            return number > 0;
        }
    }

    /**
     * No calls.
     *
     * @param gate decides when calls of low priority are sent
     */
    public Calls(int maxUnderWay, int maxWaiting, PriorityGate gate) {
        this.gate = gate;
        this.maxUnderWay = maxUnderWay;
        this.maxWaiting = maxWaiting;
    }

    /** A new call of an owner that has no other here; false if too many wait already. */
    public boolean begin(Request request, T owner) {
        if (high.size() + low.size() >= maxWaiting) {
            return false;
        }
        Entry<T> entry = new Entry<>(request, owner);
        open.put(owner, entry);
        return queue(request.priority()).add(entry);
    }

    /** The next call to send, if one may be sent now. */
    public Optional<Message> next(long nowNanos) {
        while (underWay() < maxUnderWay) {
            Entry<T> entry = poll(nowNanos);
            if (entry == null) {
                return Optional.empty();
            }
            long leftNanos = entry.request.deadlineNanos() - nowNanos;
            if (leftNanos > 0) {
                entry.number = ++lastNumber;
                sent.put(entry.number, entry);
                return Optional.of(message(entry, leftNanos));
            }
            gate.end(entry.request.priority(), nowNanos);
        }
        return Optional.empty();
    }

    /**
     * The answer to a call has come.
     *
     * @return whose it is; nothing if its caller has given it up
     */
    public Optional<T> answered(Message answer, long nowNanos) throws ProtocolError {
        Entry<T> entry = sent.remove(answer.call());
        if (entry == null) {
            throw new ProtocolError("it answers call " + answer.call() + ", which is not under way");
        }
        open.remove(entry.owner);
        gate.end(entry.request.priority(), nowNanos);
        return entry.givenUp ? Optional.empty() : Optional.of(entry.owner);
    }

    /** The caller does not want the answer any more. Nothing if the call has ended before. */
    public Optional<Ended<T>> cancel(T owner) {
        return Optional.ofNullable(open.get(owner)).map(this::giveUp);
    }

    /** Gives up all calls whose deadline has come. */
    public List<Ended<T>> expire(long nowNanos) {
        return end(entry -> entry.request.deadlineNanos() - nowNanos <= 0);
    }

    /** The connection is lost: gives up all calls. */
    public List<Ended<T>> lose(long nowNanos) {
        List<Ended<T>> ended = end(_ -> true);
        sent.values().forEach(entry -> gate.end(entry.request.priority(), nowNanos));
        sent.clear();
        return ended;
    }

    /** The earliest deadline of all calls that nobody has given up. */
    public OptionalLong earliestDeadlineNanos() {
        return open.values().stream()
                .mapToLong(entry -> entry.request.deadlineNanos())
                .reduce((one, other) -> one - other < 0 ? one : other);
    }

    /** Calls that the peer has not answered, those that were given up included. */
    public int underWay() {
        return sent.size();
    }

    /** Whether calls wait that only the gate holds back: ask {@link #next} again after its busy time. */
    public boolean isHoldingBack() {
        return underWay() < maxUnderWay && high.isEmpty() && !low.isEmpty();
    }

    private List<Ended<T>> end(Predicate<Entry<T>> which) {
        List<Entry<T>> chosen = open.values().stream().filter(which).toList();
        return chosen.stream().map(this::giveUp).toList();
    }

    private Ended<T> giveUp(Entry<T> entry) {
        entry.givenUp = true;
        open.remove(entry.owner);
        if (entry.number == 0) {
            queue(entry.request.priority()).remove(entry);
        }
        return new Ended<>(entry.owner, entry.number);
    }

    private Queue<Entry<T>> queue(Priority priority) {
        return priority == Priority.HIGH ? high : low;
    }

    private @Nullable Entry<T> poll(long nowNanos) {
        Queue<Entry<T>> first = high.isEmpty() ? low : high;
        return first.isEmpty() || !gate.tryBegin(first.element().request.priority(), nowNanos) ? null : first.remove();
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
