package dev.retier.iwarp.wire;

import java.nio.ByteBuffer;

/**
 * The Atomic Request header, after the untagged DDP header (RFC 7306 section 5.2.1).
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------------------------------------------------------+-------+
 * |                    Reserved (not checked)             |AOpCode|
 * +-------------------------------------------------------+-------+
 * |                      Request Identifier                       |
 * +---------------------------------------------------------------+
 * |                         Remote STag                           |
 * +---------------------------------------------------------------+
 * |                    Remote Tagged Offset (64)                  |
 * +---------------------------------------------------------------+
 * |                    Add or Swap Data (64)                      |
 * +---------------------------------------------------------------+
 * |                    Add or Swap Mask (64)                      |
 * +---------------------------------------------------------------+
 * |                    Compare Data (64)                          |
 * +---------------------------------------------------------------+
 * |                    Compare Mask (64)                          |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class AtomicRequestHeader {
    /** Bytes of the header. */
    public static final int LENGTH = 52;
    /** AOpCode of a fetch-add. */
    public static final int FETCH_ADD = 0;
    /** AOpCode of a compare-and-swap. */
    public static final int COMPARE_SWAP = 2;

    static final int OPERATION_MASK = 0x0F;
    static final int OPERATION_OFFSET = 0;
    static final int REQUEST_ID_OFFSET = 4;
    static final int STAG_OFFSET = 8;
    static final int TAGGED_OFFSET_OFFSET = 12;
    static final int DATA_OFFSET = 20;
    static final int DATA_MASK_OFFSET = 28;
    static final int COMPARE_OFFSET = 36;
    static final int COMPARE_MASK_OFFSET = 44;

    private AtomicRequestHeader() {}

    /** The AOpCode, 0 to 15. */
    public static int operation(ByteBuffer buffer, int at) {
        return buffer.getInt(at + OPERATION_OFFSET) & OPERATION_MASK;
    }

    /** The requester's identifier, echoed in the response. */
    public static int requestId(ByteBuffer buffer, int at) {
        return buffer.getInt(at + REQUEST_ID_OFFSET);
    }

    /** The target region. */
    public static int stag(ByteBuffer buffer, int at) {
        return buffer.getInt(at + STAG_OFFSET);
    }

    /** The target word. */
    public static long taggedOffset(ByteBuffer buffer, int at) {
        return buffer.getLong(at + TAGGED_OFFSET_OFFSET);
    }

    /** The operands, as one value. */
    public static AtomicOperands operands(ByteBuffer buffer, int at) {
        return new AtomicOperands(
                buffer.getLong(at + DATA_OFFSET),
                buffer.getLong(at + DATA_MASK_OFFSET),
                buffer.getLong(at + COMPARE_OFFSET),
                buffer.getLong(at + COMPARE_MASK_OFFSET));
    }

    /** Writes operation, identifier and target at {@code at}. */
    public static void emitTarget(ByteBuffer buffer, int at, int operation, int requestId, AtomicTarget target) {
        buffer.putInt(at + OPERATION_OFFSET, operation & OPERATION_MASK);
        buffer.putInt(at + REQUEST_ID_OFFSET, requestId);
        buffer.putInt(at + STAG_OFFSET, target.stag());
        buffer.putLong(at + TAGGED_OFFSET_OFFSET, target.taggedOffset());
    }

    /** Writes the operands of the header at {@code at}. */
    public static void emitOperands(ByteBuffer buffer, int at, AtomicOperands operands) {
        buffer.putLong(at + DATA_OFFSET, operands.data());
        buffer.putLong(at + DATA_MASK_OFFSET, operands.dataMask());
        buffer.putLong(at + COMPARE_OFFSET, operands.compare());
        buffer.putLong(at + COMPARE_MASK_OFFSET, operands.compareMask());
    }
}
