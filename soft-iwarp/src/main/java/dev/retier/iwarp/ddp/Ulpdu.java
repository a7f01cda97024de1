package dev.retier.iwarp.ddp;

import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.nio.ByteBuffer;

/** One received DDP segment: a place in a buffer. Reused; owned by one thread at a time. */
public final class Ulpdu {
    /** Where it stands. */
    public ByteBuffer buffer = ByteBuffer.allocate(0);
    /** Its first byte in {@link #buffer}. */
    public int at;
    /** Its bytes, header included. */
    public int length;
    /** What RDMAP calls it; whoever checked the control byte sets this. */
    public RdmapOpcode opcode = RdmapOpcode.SEND;

    /** Says where it is. */
    public void set(ByteBuffer newBuffer, int newAt, int newLength) {
        buffer = newBuffer;
        at = newAt;
        length = newLength;
    }

    /** DDP's control byte. */
    public int ddpControl() {
        return buffer.get(at);
    }

    /** RDMAP's control byte. */
    public int rdmapControl() {
        return buffer.get(at + 1);
    }

    /** Whether it names its place by STag and offset. */
    public boolean tagged() {
        return DdpControl.tagged(ddpControl());
    }

    /** Whether its message ends with it. */
    public boolean last() {
        return DdpControl.last(ddpControl());
    }

    /** Bytes of its header. */
    public int headerLength() {
        return tagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
    }

    /** Where its payload starts. */
    public int payloadAt() {
        return at + headerLength();
    }

    /** Bytes of its payload. */
    public int payloadLength() {
        return length - headerLength();
    }

    /** The Terminate that reports this segment, with as many of its headers as the reason asks for. */
    public TerminateHeader failure(TerminateReason reason) {
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
