package dev.retier.fabric.calls;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

/**
 * One end of a connection of two rings: messages that wait for room in the peer's ring, and the peer's messages in this
 * one's. What goes out is first laid out in {@code staging}, at the very place where it will lie in the peer's ring.
 * Not thread-safe.
 *
 * <p>After each call of {@link #offer}, {@link #take} and {@link #sent}, do what {@link #next} says until it is empty.
 */
public final class RingEnd {
    private final MemorySegment staging;
    private final Outbox outbox;
    private final Inbox inbox;
    private final Queue<Message> waiting = new ArrayDeque<>();
    private int freeSends;

    /**
     * A write into the peer's ring, to be announced by its immediate.
     *
     * @param offset where, in staging and in the peer's ring
     * @param lengthBytes how much; nothing if only the immediate matters
     */
    public record Write(int offset, int lengthBytes, int immediate) {}

    /**
     * Two empty rings.
     *
     * @param staging memory as large as a ring
     * @param ring where the peer writes
     */
    public RingEnd(RingLimits limits, MemorySegment staging, MemorySegment ring) {
        this.staging = staging;
        this.outbox = new Outbox(limits);
        this.inbox = new Inbox(limits, ring);
        this.freeSends = sends(limits);
    }

    /** Writes that may be under way at once: what a queue pair needs room for. */
    public static int sends(RingLimits limits) {
        return limits.messages() + RingLimits.CREDIT_UPDATES;
    }

    /** Sends {@code message} as soon as there is room. The caller bounds how many wait. */
    public void offer(Message message) {
        waiting.add(message);
    }

    /** What must be written now. */
    public Optional<Write> next() {
        if (freeSends == 0) {
            return Optional.empty();
        }
        Message message = waiting.peek();
        if (message != null && outbox.hasRoom(message.body().length)) {
            waiting.remove();
            freeSends--;
            int length = message.body().length;
            int offset = outbox.place(length);
            MessageRecord.emit(message, inbox.creditNow(), staging, offset);
            return Optional.of(new Write(offset, MessageRecord.lengthBytes(length), Immediates.record(offset)));
        }
        OptionalInt update = inbox.creditUpdateDue();
        if (update.isEmpty()) {
            return Optional.empty();
        }
        freeSends--;
        return Optional.of(new Write(0, 0, update.getAsInt()));
    }

    /** The peer has announced something: the message, if it was one. */
    public Optional<Message> take(int immediate) throws ProtocolError {
        return switch (inbox.take(immediate)) {
            case Inbox.Arrival.CreditUpdate(int peerTook) -> {
                outbox.taken(peerTook);
                yield Optional.empty();
            }
            case Inbox.Arrival.Delivery(Message message, int peerTook) -> {
                outbox.taken(peerTook);
                yield Optional.of(message);
            }
        };
    }

    /** A write of {@link #next} has left. */
    public void sent() {
        freeSends++;
    }

    /** Messages that wait for room. */
    public int waiting() {
        return waiting.size();
    }

    /** Messages in the peer's ring that it has not told to have taken. */
    public int inFlight() {
        return outbox.inFlight();
    }
}
