package dev.retier.fabric.calls;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A message as it lies in a ring, little-endian, at a multiple of 8.
 *
 * <pre>
 *   0               4   5   6       8                               16
 *  +---------------+---+---+-------+-------------------------------+
 *  | body length   |knd|pri|functn.| call                          |
 *  +---------------+---+---+-------+-------------------------------+
 *  | released      | budget micros |sta| zero      | magic "RTRC"  |
 *  +---------------+---------------+---+-----------+---------------+
 *  | body, then zero to three ... seven bytes that nobody reads    |
 * </pre>
 *
 * <p>{@code released}: how many messages the sender has taken out of its own ring so far, modulo 2^31.
 */
final class MessageRecord {
    static final int HEADER_BYTES = 32;
    static final int ALIGNMENT = 8;

    private static final int MAGIC = 0x5254_5243;
    private static final int LENGTH_OFFSET = 0;
    private static final int KIND_OFFSET = 4;
    private static final int PRIORITY_OFFSET = 5;
    private static final int FUNCTION_OFFSET = 6;
    private static final int CALL_OFFSET = 8;
    private static final int RELEASED_OFFSET = 16;
    private static final int BUDGET_OFFSET = 20;
    private static final int STATUS_OFFSET = 24;
    private static final int MAGIC_OFFSET = 28;
    private static final int FUNCTION_MASK = 0xFFFF;
    /** What stands for each is its place in its list, for kinds from 1. */
    private static final List<Kind> KINDS = List.of(Kind.CALL, Kind.ONE_WAY, Kind.ANSWER, Kind.CANCEL, Kind.OPEN);

    private static final List<Priority> PRIORITIES = List.of(Priority.HIGH, Priority.LOW);
    private static final List<Status> STATUSES = List.of(
            Status.DONE, Status.FAILED, Status.NO_FUNCTION, Status.EXPIRED, Status.CANCELLED, Status.ANSWER_TOO_LONG);

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MessageRecord() {}

    /** How many bytes of a ring a message with such a body takes. */
    static int lengthBytes(int bodyBytes) {
        return (HEADER_BYTES + bodyBytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    static void emit(Message message, int released, MemorySegment ring, long offset) {
        ring.set(INT, offset + LENGTH_OFFSET, message.body().length);
        ring.set(ValueLayout.JAVA_BYTE, offset + KIND_OFFSET, (byte) (KINDS.indexOf(message.kind()) + 1));
        ring.set(ValueLayout.JAVA_BYTE, offset + PRIORITY_OFFSET, (byte) PRIORITIES.indexOf(message.priority()));
        ring.set(SHORT, offset + FUNCTION_OFFSET, (short) message.function());
        ring.set(LONG, offset + CALL_OFFSET, message.call());
        ring.set(INT, offset + RELEASED_OFFSET, released);
        ring.set(INT, offset + BUDGET_OFFSET, message.budgetMicros());
        ring.set(INT, offset + STATUS_OFFSET, STATUSES.indexOf(message.status()));
        ring.set(INT, offset + MAGIC_OFFSET, MAGIC);
        MemorySegment.copy(
                message.body(), 0, ring, ValueLayout.JAVA_BYTE, offset + HEADER_BYTES, message.body().length);
    }

    /** How long the body of the record at {@code offset} is, after its header has been checked. */
    static int bodyBytes(MemorySegment ring, long offset, int maxBodyBytes) throws ProtocolError {
        if (offset + HEADER_BYTES > ring.byteSize() || ring.get(INT, offset + MAGIC_OFFSET) != MAGIC) {
            throw new ProtocolError("no record lies where one was announced");
        }
        int length = ring.get(INT, offset + LENGTH_OFFSET);
        if (length < 0 || length > maxBodyBytes || offset + lengthBytes(length) > ring.byteSize()) {
            throw new ProtocolError("a record has a body of " + Integer.toUnsignedLong(length) + " bytes");
        }
        return length;
    }

    static int released(MemorySegment ring, long offset) {
        return ring.get(INT, offset + RELEASED_OFFSET);
    }

    /** A copy of the record whose body has {@code bodyBytes}. */
    static Message parse(MemorySegment ring, long offset, int bodyBytes) throws ProtocolError {
        byte[] body = new byte[bodyBytes];
        MemorySegment.copy(ring, ValueLayout.JAVA_BYTE, offset + HEADER_BYTES, body, 0, bodyBytes);
        return new Message(
                decode(KINDS, ring.get(ValueLayout.JAVA_BYTE, offset + KIND_OFFSET) - 1),
                ring.get(LONG, offset + CALL_OFFSET),
                ring.get(SHORT, offset + FUNCTION_OFFSET) & FUNCTION_MASK,
                decode(PRIORITIES, ring.get(ValueLayout.JAVA_BYTE, offset + PRIORITY_OFFSET)),
                decode(STATUSES, (byte) ring.get(INT, offset + STATUS_OFFSET)),
                ring.get(INT, offset + BUDGET_OFFSET),
                body);
    }

    private static <E> E decode(List<E> codes, int place) throws ProtocolError {
        if (place < 0 || place >= codes.size()) {
            throw new ProtocolError("place " + place + " is not known among " + codes);
        }
        return codes.get(place);
    }
}
