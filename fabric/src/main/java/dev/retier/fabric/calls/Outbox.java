package dev.retier.fabric.calls;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Where in the peer's ring the next record goes, and whether it may: a record is placed behind the last one, at the
 * start of the ring if it does not fit before its end, and never over one that the peer has not yet taken. Not
 * thread-safe.
 *
 * <pre>
 *   0        oldest not taken        tail                  ringBytes
 *   | free   | records in flight     | free, or left over  |
 * </pre>
 */
public final class Outbox {
    private final RingLimits limits;
    /** Bytes that each record in flight takes, with what was left over at the end of the ring before it. */
    private final Queue<Integer> inFlight = new ArrayDeque<>();

    private int tail;
    private int usedBytes;
    private long taken;

    /** The peer's ring is empty. */
    public Outbox(RingLimits limits) {
        this.limits = limits;
    }

    /** Whether a message with such a body may be placed now. */
    public boolean hasRoom(int bodyBytes) {
        int length = MessageRecord.lengthBytes(bodyBytes);
        return inFlight.size() < limits.messages() && usedBytes + leftOver(length) + length <= limits.ringBytes();
    }

    /** The offset of the next record; only if there {@link #hasRoom}. */
    public int place(int bodyBytes) {
        if (bodyBytes > limits.bodyBytes() || !hasRoom(bodyBytes)) {
            throw new IllegalStateException("a record is placed without room for it");
        }
        int length = MessageRecord.lengthBytes(bodyBytes);
        int leftOver = leftOver(length);
        int offset = leftOver > 0 ? 0 : tail;
        inFlight.add(leftOver + length);
        usedBytes += leftOver + length;
        tail = (offset + length) % limits.ringBytes();
        return offset;
    }

    /**
     * The peer has taken messages.
     *
     * @param count how many in all so far, modulo 2^31; the highest bit does not matter
     */
    public void taken(int count) throws ProtocolError {
        int fresh = (count - (int) taken) & Immediates.COUNT_MASK;
        if (fresh > inFlight.size()) {
            throw new ProtocolError("it has taken " + fresh + " messages of " + inFlight.size());
        }
        for (int i = 0; i < fresh; i++) {
            Integer bytes = inFlight.remove();
            usedBytes -= bytes;
        }
        taken += fresh;
    }

    private int leftOver(int length) {
        return tail + length > limits.ringBytes() ? limits.ringBytes() - tail : 0;
    }
}
