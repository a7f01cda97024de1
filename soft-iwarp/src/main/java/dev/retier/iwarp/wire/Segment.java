package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The fields of one DDP segment's header, to be emitted. Mutable so that a transmitter can reuse one object; owned by
 * one thread at a time.
 */
public final class Segment {
    RdmapOpcode opcode = RdmapOpcode.WRITE;
    boolean last;
    int stag;
    long taggedOffset;
    int msn;
    int messageOffset;

    /** Makes this a tagged segment. Returns this. */
    public Segment tagged(RdmapOpcode taggedOpcode, int targetStag, long offset, boolean isLast) {
        opcode = taggedOpcode;
        stag = targetStag;
        taggedOffset = offset;
        last = isLast;
        return this;
    }

    /** Makes this an untagged segment with nothing to invalidate. Returns this. */
    public Segment untagged(RdmapOpcode untaggedOpcode, int number, int offset, boolean isLast) {
        opcode = untaggedOpcode;
        stag = 0;
        msn = number;
        messageOffset = offset;
        last = isLast;
        return this;
    }

    /** Sets the STag that an untagged segment invalidates. Returns this. */
    public Segment invalidating(int invalidateStag) {
        stag = invalidateStag;
        return this;
    }

    /** Bytes that {@link #emit} writes. */
    public int headerLength() {
        return opcode.tagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
    }

    /** Writes the header at {@code at} into a big-endian buffer. */
    public void emit(ByteBuffer buffer, int at) {
        if (opcode.tagged()) {
            TaggedHeader.emit(buffer, at, this);
        } else {
            UntaggedHeader.emit(buffer, at, this);
        }
    }
}
