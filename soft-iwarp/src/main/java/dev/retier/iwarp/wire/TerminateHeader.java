package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The Terminate header, after the untagged DDP header (RFC 5040 section 4.8).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+---------------+-+-+-+-------------------------+
 * | Layer | EType |  Error Code   |M|D|R|        Reserved         |
 * +-------+-------+---------------+-+-+-+-------------------------+
 * |  DDP Segment Length (if M)    |  Terminated DDP header (if D) |
 * +-------------------------------+-------------------------------+
 * |  Terminated RDMA Read Request header, 28 bytes (if R)         |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param reason layer, type and code
 * @param segmentLength length of the offending DDP segment; meaningful if there is a DDP header
 * @param ddpHeader the offending segment's DDP header, 14, 18 or 0 bytes
 * @param readHeader the offending Read Request's header, 28 or 0 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // bytes of the wire, never compared
public record TerminateHeader(TerminateReason reason, int segmentLength, byte[] ddpHeader, byte[] readHeader) {
    /** Bytes of the control field, the least that a Terminate carries. */
    public static final int CONTROL_LENGTH = 4;
    /** Bytes of the longest Terminate: control, segment length, untagged header, read header. */
    public static final int MAX_LENGTH = CONTROL_LENGTH + 2 + UntaggedHeader.LENGTH + ReadRequestHeader.LENGTH;

    static final int SEGMENT_LENGTH_VALID = 0x80;
    static final int DDP_HEADER_INCLUDED = 0x40;
    static final int READ_HEADER_INCLUDED = 0x20;

    private static final byte[] NONE = new byte[0];

    /** A Terminate without the offender's headers. */
    public static TerminateHeader of(TerminateReason reason) {
        return new TerminateHeader(reason, 0, NONE, NONE);
    }

    /** Bytes that {@link #emit} writes. */
    public int length() {
        return CONTROL_LENGTH + (ddpHeader.length == 0 ? 0 : 2 + ddpHeader.length) + readHeader.length;
    }

    /** Writes {@link #length} bytes at {@code at}. */
    public void emit(ByteBuffer buffer, int at) {
        int present = ddpHeader.length == 0 ? 0 : SEGMENT_LENGTH_VALID | DDP_HEADER_INCLUDED;
        present |= readHeader.length == 0 ? 0 : READ_HEADER_INCLUDED;
        buffer.putShort(at, (short) reason.word());
        buffer.put(at + 2, (byte) present);
        buffer.put(at + 3, (byte) 0);
        int next = at + CONTROL_LENGTH;
        if (ddpHeader.length > 0) {
            buffer.putShort(next, (short) segmentLength);
            buffer.put(next + 2, ddpHeader);
            next += 2 + ddpHeader.length;
        }
        buffer.put(next, readHeader);
    }

    /** The first 32 bits of a received Terminate; see {@link ReceivedTerminate}. */
    public static int controlWord(ByteBuffer buffer, int at) {
        return buffer.getInt(at);
    }
}
