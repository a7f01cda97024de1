package dev.retier.volume.wire;

import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * How a request ended, in {@value #BYTES} bytes.
 *
 * <pre>
 *   0               2               4               8
 *  +---------------+---------------+---------------+-------------------------------+
 *  | tag           | status        | CRC of these  | sequence                      |
 *  +---------------+---------------+---------------+-------------------------------+
 *  | credits       | zero          | epoch         | value                         |
 * </pre>
 *
 * @param tag of the request
 * @param sequence of the request
 * @param credits how many requests the client may have under way from now on, 0 to 65535
 * @param epoch of the attachment, unsigned; of an ATTACH the one that it was given
 * @param value of an ATTACH the size of the volume in bytes, else the nanoseconds that the server took
 */
public record Answer(int tag, Status status, long sequence, int credits, int epoch, long value) {
    /** Of one. */
    public static final int BYTES = 32;

    private static final int MOST = 0xFFFF;

    private static final int STATUS = 2;
    private static final int CRC = 4;
    private static final int SEQUENCE = 8;
    private static final int CREDITS = 16;
    private static final int EPOCH = 20;
    private static final int VALUE = 24;

    /** Refuses what no message can say with {@link IllegalArgumentException}. */
    public Answer {
        if (tag < 0 || tag > MOST || credits < 0 || credits > MOST) {
            throw new IllegalArgumentException("tag " + tag + ", credits " + credits);
        }
    }

    /** Writes it to {@code into} at {@code at}. */
    public void encode(ByteBuffer into, int at) {
        ByteBuffer bytes = into.slice(at, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(0, (short) tag)
                .putShort(STATUS, (short) status.code())
                .putLong(SEQUENCE, sequence)
                .putInt(CREDITS, credits)
                .putInt(EPOCH, epoch)
                .putLong(VALUE, value);
        bytes.putInt(CRC, Checksums.around(bytes, CRC));
    }

    /** The one at {@code at}; empty if it is none, or not what was sent. */
    public static Optional<Answer> parse(ByteBuffer from, int at) {
        ByteBuffer bytes = from.slice(at, BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int credits = bytes.getInt(CREDITS);
        boolean isGood = bytes.getInt(CRC) == Checksums.around(bytes, CRC) && credits >= 0 && credits <= MOST;
        return Status.of(Short.toUnsignedInt(bytes.getShort(STATUS)))
                .filter(_ -> isGood)
                .map(status -> new Answer(
                        Short.toUnsignedInt(bytes.getShort(0)),
                        status,
                        bytes.getLong(SEQUENCE),
                        credits,
                        bytes.getInt(EPOCH),
                        bytes.getLong(VALUE)));
    }
}
