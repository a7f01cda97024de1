package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The DDP header of the untagged model with RDMAP's fields in it (RFC 5041 section 4.3, RFC 5040 section 4.2).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+---------------+-------------------------------+
 * |  DDP control  | RDMAP control |       Invalidate STag         |
 * +---------------+---------------+-------------------------------+
 * |   Invalidate STag (continued) |         Queue Number          |
 * +-------------------------------+-------------------------------+
 * |   Queue Number (continued)    |   Message Sequence Number     |
 * +-------------------------------+-------------------------------+
 * |   MSN (continued)             |        Message Offset         |
 * +-------------------------------+-------------------------------+
 * |   MO (continued)              |  payload
 * +-------------------------------+
 * </pre>
 */
public final class UntaggedHeader {
    /** Bytes of the header. */
    public static final int LENGTH = 18;

    static final int INVALIDATE_STAG_OFFSET = 2;
    static final int QUEUE_OFFSET = 6;
    static final int MSN_OFFSET = 10;
    static final int MESSAGE_OFFSET_OFFSET = 14;

    private UntaggedHeader() {}

    /** The STag to invalidate; meaningful for the two invalidating Sends only. */
    public static int invalidateStag(ByteBuffer buffer, int at) {
        return buffer.getInt(at + INVALIDATE_STAG_OFFSET);
    }

    /** The queue number, an unsigned 32-bit number. */
    public static int queue(ByteBuffer buffer, int at) {
        return buffer.getInt(at + QUEUE_OFFSET);
    }

    /** The message sequence number: starts at 1 for each queue and direction, wraps to 0. */
    public static int msn(ByteBuffer buffer, int at) {
        return buffer.getInt(at + MSN_OFFSET);
    }

    /** The message offset, an unsigned 32-bit number. */
    public static int messageOffset(ByteBuffer buffer, int at) {
        return buffer.getInt(at + MESSAGE_OFFSET_OFFSET);
    }

    /** Writes all {@link #LENGTH} bytes at {@code at}. The queue follows from the opcode. */
    public static void emit(ByteBuffer buffer, int at, Segment segment) {
        buffer.put(at, DdpControl.of(false, segment.last));
        buffer.put(at + 1, RdmapControl.of(segment.opcode));
        buffer.putInt(at + INVALIDATE_STAG_OFFSET, segment.stag);
        buffer.putInt(at + QUEUE_OFFSET, segment.opcode.queue());
        buffer.putInt(at + MSN_OFFSET, segment.msn);
        buffer.putInt(at + MESSAGE_OFFSET_OFFSET, segment.messageOffset);
    }
}
