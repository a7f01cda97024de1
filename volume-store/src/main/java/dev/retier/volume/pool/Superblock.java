package dev.retier.volume.pool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a pool stands on its disk: what the newest checkpoint that was ended says, and from where on the journal tells
 * the rest. Two of these are written in turn, so that one is good at each instant.
 *
 * <pre>
 *  magic "RTPOOL01" 8 | pool id 16 | checkpoint 8 | cluster blocks 4 | zero 4
 *  | first segment 8 | its first running number 8 | zero 8 | CRC 4
 * </pre>
 *
 * @param pool its id, drawn when it was made
 * @param checkpoint grows by one with each; 0 of a new pool
 * @param firstSegment of the journal that is not all in the clusters
 * @param firstNumber running number of that segment's first record
 */
public record Superblock(UUID pool, long checkpoint, Geometry geometry, long firstSegment, long firstNumber) {
    /** Of one, with room for more to come. */
    public static final int BYTES = 4096;

    /** It says the format version, too. */
    private static final long MAGIC = 0x3130_4C4F_4F50_5452L;

    private static final int CRC_OFFSET = 64;

    /** That of the next checkpoint, from which on that segment's records count, the first with that number. */
    public Superblock after(long segment, long number) {
        return new Superblock(pool, checkpoint + 1, geometry, segment, number);
    }

    /** The slot, 0 or 1, that it is written to. */
    public int slot() {
        return (int) (checkpoint & 1);
    }

    /** As it is written. */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC)
                .putLong(pool.getMostSignificantBits())
                .putLong(pool.getLeastSignificantBits())
                .putLong(checkpoint)
                .putInt(geometry.clusterBlocks())
                .putInt(0)
                .putLong(firstSegment)
                .putLong(firstNumber);
        bytes.putInt(CRC_OFFSET, Checksums.of(bytes, 0, CRC_OFFSET));
        return bytes.clear();
    }

    /** The one in {@code bytes}, if a good one is. */
    public static Optional<Superblock> parse(ByteBuffer bytes) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (fields.capacity() < BYTES
                || fields.getLong(0) != MAGIC
                || fields.getInt(CRC_OFFSET) != Checksums.of(fields, 0, CRC_OFFSET)) {
            return Optional.empty();
        }
        fields.position(Long.BYTES);
        UUID pool = new UUID(fields.getLong(), fields.getLong());
        long checkpoint = fields.getLong();
        Geometry geometry = new Geometry(fields.getInt());
        fields.getInt();
        return Optional.of(new Superblock(pool, checkpoint, geometry, fields.getLong(), fields.getLong()));
    }
}
