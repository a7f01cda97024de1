package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The RDMA Read Request header, after the untagged DDP header (RFC 5040 section 4.4).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                        Data Sink STag                         |
 * +---------------------------------------------------------------+
 * |                     Data Sink Tagged Offset                   |
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                    RDMA Read Message Size                     |
 * +---------------------------------------------------------------+
 * |                       Data Source STag                        |
 * +---------------------------------------------------------------+
 * |                    Data Source Tagged Offset                  |
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param sinkStag echoed in the response, never interpreted here
 * @param sinkOffset echoed in the response, never interpreted here
 * @param size bytes asked for, unsigned 32 bits
 * @param sourceStag the region to read
 * @param sourceOffset where to start in it
 */
public record ReadRequestHeader(int sinkStag, long sinkOffset, int size, int sourceStag, long sourceOffset) {
    /** Bytes of the header. */
    public static final int LENGTH = 28;

    static final int SINK_STAG_OFFSET = 0;
    static final int SINK_OFFSET_OFFSET = 4;
    static final int SIZE_OFFSET = 12;
    static final int SOURCE_STAG_OFFSET = 16;
    static final int SOURCE_OFFSET_OFFSET = 20;

    /** Reads the header at {@code at}; the caller has checked that {@link #LENGTH} bytes are there. */
    public static ReadRequestHeader parse(ByteBuffer buffer, int at) {
        return new ReadRequestHeader(
                sinkStag(buffer, at),
                sinkOffset(buffer, at),
                size(buffer, at),
                sourceStag(buffer, at),
                sourceOffset(buffer, at));
    }

    /** The Data Sink STag. */
    public static int sinkStag(ByteBuffer buffer, int at) {
        return buffer.getInt(at + SINK_STAG_OFFSET);
    }

    /** The Data Sink tagged offset. */
    public static long sinkOffset(ByteBuffer buffer, int at) {
        return buffer.getLong(at + SINK_OFFSET_OFFSET);
    }

    /** The message size, unsigned. */
    public static int size(ByteBuffer buffer, int at) {
        return buffer.getInt(at + SIZE_OFFSET);
    }

    /** The Data Source STag. */
    public static int sourceStag(ByteBuffer buffer, int at) {
        return buffer.getInt(at + SOURCE_STAG_OFFSET);
    }

    /** The Data Source tagged offset. */
    public static long sourceOffset(ByteBuffer buffer, int at) {
        return buffer.getLong(at + SOURCE_OFFSET_OFFSET);
    }

    /** Writes the sink half of a header at {@code at}: STag, offset and size. */
    public static void emitSink(ByteBuffer buffer, int at, int stag, long offset, int size) {
        buffer.putInt(at + SINK_STAG_OFFSET, stag);
        buffer.putLong(at + SINK_OFFSET_OFFSET, offset);
        buffer.putInt(at + SIZE_OFFSET, size);
    }

    /** Writes the source half of a header at {@code at}. */
    public static void emitSource(ByteBuffer buffer, int at, int stag, long offset) {
        buffer.putInt(at + SOURCE_STAG_OFFSET, stag);
        buffer.putLong(at + SOURCE_OFFSET_OFFSET, offset);
    }

    /** Writes all {@link #LENGTH} bytes at {@code at}. */
    public void emit(ByteBuffer buffer, int at) {
        emitSink(buffer, at, sinkStag, sinkOffset, size);
        emitSource(buffer, at, sourceStag, sourceOffset);
    }
}
