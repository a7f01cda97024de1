package dev.retier.fabric.calls;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * One end of a connection of two rings: messages that wait for room in the peer's ring, and the peer's messages in this
 * one's. What goes out is first laid out in {@code staging}, at the very place where it will lie in the peer's ring.
 * Not thread-safe.
 *
 * <p>The peer is told what was taken with every message that goes its way; and by an immediate of its own when a
 * quarter of the ring or half of the messages have been taken since. So at most {@value RingLimits#CREDIT_UPDATES} of
 * these immediates are under way at once: a peer that has not seen the last of them can have sent no more than one ring
 * full.
 *
 * <p>After each call of {@link #offer}, {@link #take} and {@link #sent}, do what {@link #next} says until it is empty.
 */
public final class RingEnd {
    private final RingLimits limits;
    private final MemorySegment staging;
    private final MemorySegment ring;
    private final Outbox outbox;
    private final Queue<Message> waiting = new ArrayDeque<>();
    private int freeSends;
    /** Where in this side's ring the next record is due. */
    private int expected;

    private long taken;
    private long told;
    private int untoldBytes;

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
     * @param ring where the peer writes; aligned to 8
     */
    public RingEnd(RingLimits limits, MemorySegment staging, MemorySegment ring) {
        this.limits = limits;
        this.staging = staging;
        this.ring = ring;
        this.outbox = new Outbox(limits);
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
            MessageRecord.emit(message, creditNow(), staging, offset);
            return Optional.of(new Write(offset, MessageRecord.lengthBytes(length), Immediates.record(offset)));
        }
        if (untoldBytes < limits.ringBytes() / 4 && taken - told < limits.messages() / 2) {
            return Optional.empty();
        }
        freeSends--;
        return Optional.of(new Write(0, 0, Immediates.creditUpdate(creditNow())));
    }

    /** Messages taken so far, modulo 2^31; the peer will be told now. */
    private int creditNow() {
        told = taken;
        untoldBytes = 0;
        return (int) taken & Immediates.COUNT_MASK;
    }

    /** The peer has announced something: the message, if it was one. */
    public Optional<Message> take(int immediate) throws ProtocolError {
        if (Immediates.isCreditUpdate(immediate)) {
            outbox.taken(immediate);
            return Optional.empty();
        }
        long offset = Immediates.offset(immediate);
        if (offset != expected && offset != 0) {
            throw new ProtocolError("a record lies at " + offset + " where " + expected + " is due");
        }
        int leftOver = offset == expected ? 0 : limits.ringBytes() - expected;
        int bodyBytes = MessageRecord.bodyBytes(ring, offset, limits.bodyBytes());
        Message message = MessageRecord.parse(ring, offset, bodyBytes);
        int length = MessageRecord.lengthBytes(bodyBytes);
        expected = (int) (offset + length) % limits.ringBytes();
        taken++;
        untoldBytes += leftOver + length;
        outbox.taken(MessageRecord.released(ring, offset));
        return Optional.of(message);
    }

    /** A write of {@link #next} has left. */
    public void sent() {
        freeSends++;
    }
}
