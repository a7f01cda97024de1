package dev.retier.volume.pool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Up to where a journal is on the disk, so that what is not good there is known to be broken, and not taken for what a
 * power cut left out.
 *
 * <pre>
 *  magic "RTJF" 4 | zero 4 | running number 8 | CRC 4
 * </pre>
 *
 * @param number all records before the one of that running number were forced
 */
public record ForcedMark(long number) {
    /** Of one. */
    public static final int BYTES = 20;

    private static final int MAGIC = 0x464A_5452;
    private static final int NUMBER = 8;
    private static final int CRC = 16;

    /** As it is written. */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0, MAGIC).putLong(NUMBER, number);
        return bytes.putInt(CRC, Checksums.of(bytes, 0, CRC));
    }

    /** The one in {@code bytes}, if a good one is. */
    public static Optional<ForcedMark> parse(ByteBuffer bytes) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        boolean isGood = fields.capacity() >= BYTES
                && fields.getInt(0) == MAGIC
                && fields.getInt(CRC) == Checksums.of(fields, 0, CRC);
        return isGood ? Optional.of(new ForcedMark(fields.getLong(NUMBER))) : Optional.empty();
    }
}
