package dev.retier.volume.channel;

import dev.retier.volume.Volume;
import dev.retier.volume.pool.Checksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/**
 * How long the file on a volume is: in the first block of the volume, where it stays when that gets another size. The
 * bytes of the file are behind that block.
 *
 * <pre>
 *   0               4               8                               16              20                    32
 *  +---------------+---------------+-------------------------------+---------------+---------------------+
 *  | magic         | version       | length of the file            | CRC of 16     | zero                |
 *  +---------------+---------------+-------------------------------+---------------+---------------------+
 * </pre>
 */
final class EndMark {
    /** Of the block that it has. */
    static final int BLOCK_BYTES = Volume.BLOCK_BYTES;

    private static final int MAGIC = 0x4c49_4652;
    private static final int VERSION = 1;
    private static final int BYTES = 32;
    private static final long LOOK_BYTES = 1L << 30;
    private static final int LENGTH = 8;
    private static final int CRC = 16;
    private static final Set<Volume.Option> WHOLE = Set.of(Volume.Option.WHOLE);
    private static final Set<Volume.Option> WHOLE_AND_FORCED = Set.of(Volume.Option.WHOLE, Volume.Option.FORCED);

    private EndMark() {}

    /** The length that a volume says; empty if nothing was ever written to it. */
    static Optional<Long> read(Volume volume) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        volume.read(0, bytes);
        boolean isMark = bytes.getInt(0) == MAGIC && bytes.getInt(CRC) == Checksums.of(bytes, 0, CRC);
        if (!isMark) {
            requireNothing(volume);
            return Optional.empty();
        }
        int version = bytes.getInt(Integer.BYTES);
        if (version != VERSION) {
            throw new IOException("the file on the volume is of version " + version + ", and this program knows "
                    + VERSION + ": use the newer one that wrote it");
        }
        long length = bytes.getLong(LENGTH);
        if (length < 0 || length > volume.bytes() - BLOCK_BYTES) {
            throw new IOException("the file on the volume has " + length + " bytes, and the volume has room for "
                    + (volume.bytes() - BLOCK_BYTES) + ": it was cut. Give it " + BLOCK_BYTES
                    + " bytes more than the file, at least; what was cut off reads as zeros");
        }
        return Optional.of(length);
    }

    /** Part by part, as a large volume that holds much has many. */
    private static void requireNothing(Volume volume) throws IOException {
        for (long from = 0; from < volume.bytes(); from += LOOK_BYTES) {
            long at = from;
            for (Volume.Extent extent : volume.extents(from, Math.min(LOOK_BYTES, volume.bytes() - from))) {
                if (!extent.isHole()) {
                    throw new IOException("the volume has something else than a file that was written by this: its"
                            + " first block says no length, and there are bytes from " + at
                            + " on. Take another volume, or make it anew");
                }
                at += extent.bytes();
            }
        }
    }

    /** Says that the file is that long. It is old or new after any crash, as its block is. */
    static void write(Volume volume, long length, boolean isForced) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0, MAGIC).putInt(Integer.BYTES, VERSION).putLong(LENGTH, length);
        bytes.putInt(CRC, Checksums.of(bytes, 0, CRC));
        volume.write(0, bytes, isForced ? WHOLE_AND_FORCED : WHOLE);
    }
}
