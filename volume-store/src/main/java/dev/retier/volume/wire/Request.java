package dev.retier.volume.wire;

import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What a client asks a volume server for, in {@value #BYTES} bytes.
 *
 * <pre>
 *   0       1       2               4               8
 *  +-------+-------+---------------+---------------+-------------------------------+
 *  | oper. | flags | tag           | length        | offset                        |
 *  +-------+-------+---------------+---------------+-------------------------------+
 *  | volume        | epoch         | sequence                      |
 *  +---------------+---------------+-------------------------------+
 *  | address of the client's buffer| its key       | CRC of these 64 bytes         |
 *  +-------------------------------+---------------+-------------------------------+
 *  | answered below (low half)     | hint          | zero                          |
 * </pre>
 *
 * @param operation what to do
 * @param flags see the constants
 * @param tag 0 to 65535: its place among the client's requests; only one with a tag is under way
 * @param length in bytes
 * @param offset in the volume
 * @param volume its number at the server
 * @param epoch of the attachment, unsigned
 * @param sequence of the request in its attachment; never used twice but for the same request
 * @param address where the client's buffer is
 * @param key by which the server may use it
 * @param answeredBelow the low half of a sequence: below it the client has all answers
 */
public record Request(
        Operation operation,
        int flags,
        int tag,
        int length,
        long offset,
        int volume,
        int epoch,
        long sequence,
        long address,
        int key,
        int answeredBelow) {
    /** Of one. */
    public static final int BYTES = 64;

    /** On the disk before it is answered. */
    public static final int FORCED = 1;

    /** Old or new as a whole after any crash: up to 16 KiB, aligned to its length. */
    public static final int ATOMIC = 1 << 3;

    /** Of an attachment: for writing, and nobody else has it then. */
    public static final int FOR_WRITING = 1 << 4;

    /** Of an attachment: whoever has it loses it. */
    public static final int BY_FORCE = 1 << 5;

    private static final int KNOWN_FLAGS = FORCED | ATOMIC | FOR_WRITING | BY_FORCE;
    private static final int MOST_TAG = 0xFFFF;

    private static final int FLAGS = 1;
    private static final int TAG = 2;
    private static final int LENGTH = 4;
    private static final int OFFSET = 8;
    private static final int VOLUME = 16;
    private static final int EPOCH = 20;
    private static final int SEQUENCE = 24;
    private static final int ADDRESS = 32;
    private static final int KEY = 40;
    private static final int CRC = 44;
    private static final int ANSWERED_BELOW = 48;

    /** Refuses what no message can say with {@link IllegalArgumentException}. */
    public Request {
        if (tag < 0 || tag > MOST_TAG || (flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException("tag " + tag + ", flags " + flags);
        }
    }

    /** Writes it to {@code into} at {@code at}. */
    public void encode(ByteBuffer into, int at) {
        ByteBuffer bytes = into.slice(at, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, (byte) operation.code())
                .put(FLAGS, (byte) flags)
                .putShort(TAG, (short) tag)
                .putInt(LENGTH, length)
                .putLong(OFFSET, offset)
                .putInt(VOLUME, volume)
                .putInt(EPOCH, epoch)
                .putLong(SEQUENCE, sequence)
                .putLong(ADDRESS, address)
                .putInt(KEY, key)
                .putLong(ANSWERED_BELOW, Integer.toUnsignedLong(answeredBelow))
                .putLong(ANSWERED_BELOW + Long.BYTES, 0);
        bytes.putInt(CRC, Checksums.around(bytes, CRC));
    }

    /** The one at {@code at}; empty if it is none, or not what was sent. */
    public static Optional<Request> parse(ByteBuffer from, int at) {
        ByteBuffer bytes = from.slice(at, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int flags = Byte.toUnsignedInt(bytes.get(FLAGS));
        boolean isGood = bytes.getInt(CRC) == Checksums.around(bytes, CRC) && (flags & ~KNOWN_FLAGS) == 0;
        return Operation.of(Byte.toUnsignedInt(bytes.get(0)))
                .filter(_ -> isGood)
                .map(operation -> new Request(
                        operation,
                        flags,
                        Short.toUnsignedInt(bytes.getShort(TAG)),
                        bytes.getInt(LENGTH),
                        bytes.getLong(OFFSET),
                        bytes.getInt(VOLUME),
                        bytes.getInt(EPOCH),
                        bytes.getLong(SEQUENCE),
                        bytes.getLong(ADDRESS),
                        bytes.getInt(KEY),
                        bytes.getInt(ANSWERED_BELOW)));
    }

    /** Whether it must be on the disk before it is answered. */
    public boolean isForced() {
        return (flags & FORCED) != 0;
    }

    /** Whether it is in a volume of that size, as far as it is about a range. */
    public boolean isWithin(long size) {
        return !operation.hasRange() || (offset >= 0 && length >= 0 && offset <= size && length <= size - offset);
    }
}
