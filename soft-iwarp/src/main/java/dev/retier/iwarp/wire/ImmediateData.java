package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The payload of an Immediate Data message: exactly eight bytes (RFC 7306 section 6).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |   the 32-bit immediate of the verbs, in the host's own order  |
 * +---------------------------------------------------------------+
 * |                         zero                                  |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Chelsio's driver puts the verbs' 32 bits first, and DiSNI hands the Java int over in the host's order: so do we.
 */
public final class ImmediateData {
    /** Bytes of the payload. */
    public static final int LENGTH = 8;

    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private ImmediateData() {}

    /** The immediate of the message whose payload starts at {@code at} of a big-endian buffer. */
    public static int value(ByteBuffer buffer, int at) {
        return inWireOrder(buffer.getInt(at));
    }

    /** Writes all {@link #LENGTH} bytes at {@code at} of a big-endian buffer. */
    public static void emit(ByteBuffer buffer, int at, int value) {
        buffer.putInt(at, inWireOrder(value));
        buffer.putInt(at + Integer.BYTES, 0);
    }

    private static int inWireOrder(int value) {
        return SWAP ? Integer.reverseBytes(value) : value;
    }
}
