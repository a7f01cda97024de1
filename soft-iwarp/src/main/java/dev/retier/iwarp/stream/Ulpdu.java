package dev.retier.iwarp.stream;

import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.nio.ByteBuffer;

/** One received DDP segment: a place in a buffer. Reused. */
final class Ulpdu {
    ByteBuffer buffer = ByteBuffer.allocate(0);
    int at;
    int length;
    RdmapOpcode opcode = RdmapOpcode.SEND;

    void set(ByteBuffer newBuffer, int newAt, int newLength) {
        buffer = newBuffer;
        at = newAt;
        length = newLength;
    }

    int ddpControl() {
        return buffer.get(at);
    }

    int rdmapControl() {
        return buffer.get(at + 1);
    }

    boolean tagged() {
        return DdpControl.tagged(ddpControl());
    }

    boolean last() {
        return DdpControl.last(ddpControl());
    }

    int headerLength() {
        return tagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
    }

    int payloadAt() {
        return at + headerLength();
    }

    int payloadLength() {
        return length - headerLength();
    }

    /** The Terminate that reports this segment, with as many of its headers as the reason asks for. */
    TerminateHeader failure(TerminateReason reason) {
        int header = Math.min(headerLength(), length);
        if (!reason.carriesDdpHeader() || header < headerLength()) {
            return TerminateHeader.of(reason);
        }
        byte[] ddp = new byte[header];
        buffer.get(at, ddp);
        boolean readHeader = reason.carriesReadHeader()
                && opcode == RdmapOpcode.READ_REQUEST
                && payloadLength() >= ReadRequestHeader.LENGTH;
        byte[] read = new byte[readHeader ? ReadRequestHeader.LENGTH : 0];
        buffer.get(payloadAt(), read);
        return new TerminateHeader(reason, length, ddp, read);
    }
}
