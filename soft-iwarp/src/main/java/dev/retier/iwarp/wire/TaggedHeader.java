package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The DDP header of the tagged model with RDMAP's control byte in it (RFC 5041 section 4.2).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+---------------+-------------------------------+
 * |  DDP control  | RDMAP control |             STag              |
 * +---------------+---------------+-------------------------------+
 * |         STag (continued)      |         Tagged Offset         |
 * +-------------------------------+                               +
 * |                                                               |
 * +                               +-------------------------------+
 * |                               |  payload
 * +-------------------------------+
 * </pre>
 *
 * <p>Static accessors over a big-endian buffer: the caller has checked that {@link #LENGTH} bytes are there.
 */
public final class TaggedHeader {
    /** Bytes of the header. */
    public static final int LENGTH = 14;

    static final int DDP_CONTROL_OFFSET = 0;
    static final int RDMAP_CONTROL_OFFSET = 1;
    static final int STAG_OFFSET = 2;
    static final int TAGGED_OFFSET_OFFSET = 6;

    private TaggedHeader() {}

    /** The STag of the header that starts at {@code at}. */
    public static int stag(ByteBuffer buffer, int at) {
        return buffer.getInt(at + STAG_OFFSET);
    }

    /** The tagged offset, an unsigned 64-bit number. */
    public static long taggedOffset(ByteBuffer buffer, int at) {
        return buffer.getLong(at + TAGGED_OFFSET_OFFSET);
    }

    /** Writes all {@link #LENGTH} bytes at {@code at}. */
    public static void emit(ByteBuffer buffer, int at, Segment segment) {
        buffer.put(at + DDP_CONTROL_OFFSET, DdpControl.of(true, segment.last));
        buffer.put(at + RDMAP_CONTROL_OFFSET, RdmapControl.of(segment.opcode));
        buffer.putInt(at + STAG_OFFSET, segment.stag);
        buffer.putLong(at + TAGGED_OFFSET_OFFSET, segment.taggedOffset);
    }
}
