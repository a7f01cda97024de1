package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The Atomic Response header, after the untagged DDP header (RFC 7306 section 5.2.2).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                 Original Request Identifier                   |
 * +---------------------------------------------------------------+
 * |                  Original Remote Data Value (64)              |
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>The RFC's sentence that calls it 32 bytes long contradicts its own figure; the figure is followed.
 */
public final class AtomicResponseHeader {
    /** Bytes of the header. */
    public static final int LENGTH = 12;

    static final int REQUEST_ID_OFFSET = 0;
    static final int VALUE_OFFSET = 4;

    private AtomicResponseHeader() {}

    /** The identifier of the request. */
    public static int requestId(ByteBuffer buffer, int at) {
        return buffer.getInt(at + REQUEST_ID_OFFSET);
    }

    /** What the word held before. */
    public static long value(ByteBuffer buffer, int at) {
        return buffer.getLong(at + VALUE_OFFSET);
    }

    /** Writes all {@link #LENGTH} bytes at {@code at}. */
    public static void emit(ByteBuffer buffer, int at, int requestId, long value) {
        buffer.putInt(at + REQUEST_ID_OFFSET, requestId);
        buffer.putLong(at + VALUE_OFFSET, value);
    }
}
