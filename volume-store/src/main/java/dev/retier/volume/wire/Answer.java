package dev.retier.volume.wire;

import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * How a request ended: {@value #BYTES} bytes at the beginning of the slot of its number, and data behind them.
 *
 * <pre>
 *   0               2               4               8
 *  +---------------+---------------+---------------+-------------------------------+
 *  | slot          | status        | bytes of data | sequence                      |
 *  +---------------+---------------+---------------+-------------------------------+
 *  | CRC of data   | epoch         | value                         |
 *  +---------------+---------------+-------------------------------+
 *  | volume        | zero                          | CRC of these 64 bytes         |
 * </pre>
 *
 * @param sequence of the request
 * @param volume of an attachment the number of the volume, else 0
 * @param epoch of an attachment to write the one that was given, unsigned, else 0
 * @param value of an attachment the size of the volume in bytes; of a list 1 if there is more; of a trace the number
 *     of its first record; of {@link Status#IO_ERROR} {@link #ONE_BLOCK} if nothing but that has failed; else 0
 */
public record Answer(Status status, long sequence, int volume, int epoch, long value) {
    /** Of one, without its data. */
    public static final int BYTES = 64;

    /** A block is not what was written, or cannot be read; all else that was answered is where it was. */
    public static final long ONE_BLOCK = 1;

    private static final int STATUS = 2;
    private static final int DATA_BYTES = 4;
    private static final int SEQUENCE = 8;
    private static final int DATA_CRC = 16;
    private static final int EPOCH = 20;
    private static final int VALUE = 24;
    private static final int VOLUME = 32;
    private static final int ZERO = 36;
    private static final int CRC = 60;

    /** One that says no more than how it ended. */
    public static Answer of(Status status, long sequence) {
        return new Answer(status, sequence, 0, 0, 0);
    }

    /**
     * Writes it to the beginning of a slot, in which {@code dataBytes} bytes of data are behind it already.
     *
     * @param number of the slot, 0 to 65535
     */
    public void encode(ByteBuffer slot, int number, int dataBytes) {
        ByteBuffer bytes = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(0, (short) number)
                .putShort(STATUS, (short) status.code())
                .putInt(DATA_BYTES, dataBytes)
                .putLong(SEQUENCE, sequence)
                .putInt(DATA_CRC, Checksums.of(slot, BYTES, dataBytes))
                .putInt(EPOCH, epoch)
                .putLong(VALUE, value)
                .putInt(VOLUME, volume);
        for (int at = ZERO; at < CRC; at += Integer.BYTES) {
            bytes.putInt(at, 0);
        }
        bytes.putInt(CRC, Checksums.of(bytes, 0, CRC));
    }

    /** The one in a slot; empty if there is none, or not what was sent. Its data is proven by {@link #data}. */
    public static Optional<Answer> parse(ByteBuffer slot, int number) {
        ByteBuffer bytes = slot.slice(0, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        boolean isGood =
                bytes.getInt(CRC) == Checksums.of(bytes, 0, CRC) && Short.toUnsignedInt(bytes.getShort(0)) == number;
        return Status.of(Short.toUnsignedInt(bytes.getShort(STATUS)))
                .filter(_ -> isGood)
                .map(status -> new Answer(
                        status,
                        bytes.getLong(SEQUENCE),
                        bytes.getInt(VOLUME),
                        bytes.getInt(EPOCH),
                        bytes.getLong(VALUE)));
    }

    /** The data behind an answer in a slot; empty if it is not what was sent. */
    public static Optional<ByteBuffer> data(ByteBuffer slot) {
        return Payload.proven(slot, BYTES, DATA_BYTES, DATA_CRC);
    }
}
