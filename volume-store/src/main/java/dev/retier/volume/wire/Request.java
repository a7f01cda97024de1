package dev.retier.volume.wire;

import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What a client asks a volume server for: {@value #BYTES} bytes at the beginning of a slot, and data behind them.
 *
 * <pre>
 *   0       1       2               4               8
 *  +-------+-------+---------------+---------------+-------------------------------+
 *  | oper. | flags | slot          | length        | offset                        |
 *  +-------+-------+---------------+---------------+-------------------------------+
 *  | volume        | epoch         | sequence                      |
 *  +---------------+---------------+---------------+---------------+
 *  | bytes of data | CRC of data   | zero          | CRC of these 64 bytes         |
 * </pre>
 *
 * @param operation what to do
 * @param flags see the constants
 * @param length of the range that it is about, in bytes
 * @param offset of that in the volume
 * @param volume its number at the server
 * @param epoch of the attachment, unsigned; 0 of one for reading
 * @param sequence of the request at its client: the same only for a request that is sent again
 */
public record Request(Operation operation, int flags, int length, long offset, int volume, int epoch, long sequence) {
    /** Of one, without its data. */
    public static final int BYTES = 64;

    /** Of data that a client reads or writes by one at most, whatever the server grants: what is longer is several. */
    public static final int MOST_DATA_BYTES = 64 << 10;

    /** Of an attachment: whoever has it loses it. */
    public static final int BY_FORCE = 1;

    /** Of a hint: the range will not be read soon; else it will be. */
    public static final int NOT_NEEDED = 2;

    /** Of an attachment: to read alone, beside whoever writes. */
    public static final int FOR_READING = 4;

    /** Of a change: it is on the disk before it is answered, and what was answered before it as well. */
    public static final int FORCED = 16;

    /** Of a change: see {@link dev.retier.volume.Volume.Option#WHOLE}. */
    public static final int WHOLE = 32;

    /**
     * Of a scrub: what a volume or a snapshot with a lower number has as well is left out. Of a read: it will not be
     * read again soon, and need not be kept in memory.
     */
    public static final int ONCE = 64;

    /** Of the range of a hint. */
    public static final int MOST_HINT_BYTES = 1 << 30;

    private static final int KNOWN_FLAGS = BY_FORCE | NOT_NEEDED | FOR_READING | FORCED | WHOLE | ONCE;

    private static final int FLAGS = 1;
    private static final int SLOT = 2;
    private static final int LENGTH = 4;
    private static final int OFFSET = 8;
    private static final int VOLUME = 16;
    private static final int EPOCH = 20;
    private static final int SEQUENCE = 24;
    private static final int DATA_BYTES = 32;
    private static final int DATA_CRC = 36;
    private static final int ZERO = 40;
    private static final int CRC = 60;

    /** Refuses what no message can say with {@link IllegalArgumentException}. */
    public Request {
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException("flags " + flags);
        }
    }

    /** What is about no range, and has no sequence yet. */
    public static Request about(Operation operation, long offset, int volume, int epoch) {
        return new Request(operation, 0, 0, offset, volume, epoch, 0);
    }

    /**
     * Writes it to the beginning of a slot, in which {@code dataBytes} bytes of data are behind it already.
     *
     * @param number of the slot, 0 to 65535
     */
    public void encode(ByteBuffer slot, int number, int dataBytes) {
        encode(slot, number, dataBytes, Checksums.of(slot, BYTES, dataBytes));
    }

    /** As {@link #encode(ByteBuffer, int, int)}, for data of that CRC32C that comes from elsewhere. */
    public void encode(ByteBuffer slot, int number, int dataBytes, int dataCrc) {
        ByteBuffer bytes = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, (byte) operation.code())
                .put(FLAGS, (byte) flags)
                .putShort(SLOT, (short) number)
                .putInt(LENGTH, length)
                .putLong(OFFSET, offset)
                .putInt(VOLUME, volume)
                .putInt(EPOCH, epoch)
                .putLong(SEQUENCE, sequence)
                .putInt(DATA_BYTES, dataBytes)
                .putInt(DATA_CRC, dataCrc);
        for (int at = ZERO; at < CRC; at += Integer.BYTES) {
            bytes.putInt(at, 0);
        }
        bytes.putInt(CRC, Checksums.of(bytes, 0, CRC));
    }

    /** The one in a slot; empty if there is none, or not what was sent. Its data is proven by {@link #data}. */
    public static Optional<Request> parse(ByteBuffer slot, int number) {
        ByteBuffer bytes = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int flags = Byte.toUnsignedInt(bytes.get(FLAGS));
        boolean isGood = isAsSent(bytes, number) && (flags & ~KNOWN_FLAGS) == 0;
        return Operation.of(Byte.toUnsignedInt(bytes.get(0)))
                .filter(_ -> isGood)
                .map(operation -> new Request(
                        operation,
                        flags,
                        bytes.getInt(LENGTH),
                        bytes.getLong(OFFSET),
                        bytes.getInt(VOLUME),
                        bytes.getInt(EPOCH),
                        bytes.getLong(SEQUENCE)));
    }

    private static boolean isAsSent(ByteBuffer bytes, int number) {
        return bytes.getInt(CRC) == Checksums.of(bytes, 0, CRC) && Short.toUnsignedInt(bytes.getShort(SLOT)) == number;
    }

    /** What a client asks for that this version does not know. */
    public record Unknown(int operation, int flags, long sequence) {
        /** What is not known of it, for people. */
        public String why() {
            String what = Operation.of(operation).isEmpty()
                    ? "operation " + operation
                    : "flags " + (flags & ~KNOWN_FLAGS) + " of "
                            + Operation.of(operation).get();
            return "it asks for what this version of the server does not know: " + what;
        }
    }

    /** The one in a slot that is as it was sent, and that {@link #parse} does not know; empty if there is none. */
    public static Optional<Unknown> unknown(ByteBuffer slot, int number) {
        ByteBuffer bytes = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return isAsSent(bytes, number) && parse(slot, number).isEmpty()
                ? Optional.of(new Unknown(
                        Byte.toUnsignedInt(bytes.get(0)),
                        Byte.toUnsignedInt(bytes.get(FLAGS)),
                        bytes.getLong(SEQUENCE)))
                : Optional.empty();
    }

    /** How many bytes of data are behind a request, as it says; none if that cannot be. */
    public static int dataBytes(ByteBuffer slot) {
        int length = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt(DATA_BYTES);
        return length < 0 || length > slot.capacity() - BYTES ? 0 : length;
    }

    /** The data behind a request in a slot; empty if it is not what was sent. */
    public static Optional<ByteBuffer> data(ByteBuffer slot) {
        return Payload.proven(slot, BYTES, DATA_BYTES, DATA_CRC);
    }

    /** Whether whoever has the volume is to lose it. */
    public boolean isByForce() {
        return (flags & BY_FORCE) != 0;
    }

    /** Whether the volume is to be read alone. */
    public boolean isForReading() {
        return (flags & FOR_READING) != 0;
    }

    /** Whether it is to be on the disk before it is answered. */
    public boolean isForced() {
        return (flags & FORCED) != 0;
    }

    /** Whether its range will not be read soon. */
    public boolean isNotNeeded() {
        return (flags & NOT_NEEDED) != 0;
    }

    /** See {@link #ONCE}. */
    public boolean isOnce() {
        return (flags & ONCE) != 0;
    }

    /** Whether all of it is to be old or new after any crash. */
    public boolean isWhole() {
        return (flags & WHOLE) != 0;
    }
}
