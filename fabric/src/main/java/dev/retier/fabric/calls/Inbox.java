package dev.retier.fabric.calls;

import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * Takes the peer's messages out of this side's ring as they are announced, and says when the peer must be told. It is
 * told with every message that goes its way; and by an immediate of its own when a quarter of the ring or half of the
 * messages have been taken since. So at most {@value RingLimits#CREDIT_UPDATES} of these immediates are under way at
 * once: a peer that has not seen the last of them can have sent no more than one ring full. Not thread-safe.
 */
public final class Inbox {
    private final RingLimits limits;
    private final MemorySegment ring;
    private int expected;
    private long taken;
    private long told;
    private int untoldBytes;

    /** An empty ring of {@link RingLimits#ringBytes}, aligned to 8. */
    public Inbox(RingLimits limits, MemorySegment ring) {
        this.limits = limits;
        this.ring = ring;
    }

    /** What an immediate announced. */
    public sealed interface Arrival {
        /** The peer has taken so many messages in all, modulo 2^31. */
        int peerTook();

        /** A message, too. */
        record Delivery(Message message, int peerTook) implements Arrival {}

        /** Nothing else. */
        record CreditUpdate(int peerTook) implements Arrival {}
    }

    /** Takes what {@code immediate} announces. */
    public Arrival take(int immediate) throws ProtocolError {
        if (Immediates.isCreditUpdate(immediate)) {
            return new Arrival.CreditUpdate(Immediates.taken(immediate));
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
        return new Arrival.Delivery(message, MessageRecord.released(ring, offset));
    }

    /** Messages taken so far, modulo 2^31; the peer will be told now. */
    int creditNow() {
        told = taken;
        untoldBytes = 0;
        return (int) taken & Immediates.COUNT_MASK;
    }

    /** The immediate by which the peer must be told now, if it must. */
    public OptionalInt creditUpdateDue() {
        boolean due = untoldBytes >= limits.ringBytes() / 4 || taken - told >= limits.messages() / 2;
        return due ? OptionalInt.of(Immediates.creditUpdate(creditNow())) : OptionalInt.empty();
    }
}
