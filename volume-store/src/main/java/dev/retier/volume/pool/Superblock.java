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
 *  magic "RTPOOL" 6 | format, two digits 2 | pool id 16 | checkpoint 8 | cluster blocks 4 | losses 4
 *  | first segment 8 | its first running number 8 | sum of the maps 8 | CRC 4
 * </pre>
 *
 * <p>Magic, format and the place of the checksum are the same in all formats, so that each program can say of a pool of
 * a later one that it is one.
 *
 * @param pool its id, drawn when it was made
 * @param checkpoint grows by one with each; 0 of a new pool
 * @param losses how often a force had failed before the pool was opened, so that what was answered and not flushed may
 *     be gone though the machine has not lost its power; a program of before writes 0
 * @param firstSegment of the journal that is not all in the clusters
 * @param firstNumber running number of that segment's first record
 * @param mapsSum of the pages that the checkpoint has left, by {@link ClusterMap#sum}; 0 if nothing is said of them
 * @param format as it was found; all are written in {@link #FORMAT}
 */
public record Superblock(
        UUID pool,
        long checkpoint,
        Geometry geometry,
        int losses,
        long firstSegment,
        long firstNumber,
        long mapsSum,
        int format) {
    /** Of one, with room for more to come. */
    public static final int BYTES = 4096;

    /**
     * That of this program, of all its files: 2 since there are snapshots, 3 since it is kept whose request made a
     * volume. It reads those before.
     */
    public static final int FORMAT = 3;

    /** The bytes "RTPOOL", and none of the format's. */
    private static final long MAGIC = 0x0000_4C4F_4F50_5452L;

    private static final long MAGIC_MASK = 0x0000_FFFF_FFFF_FFFFL;
    private static final int FORMAT_OFFSET = 6;
    private static final int TEN = 10;

    private static final int CRC_OFFSET = 64;

    /** Of a new pool. */
    public static Superblock first(UUID pool, Geometry geometry) {
        return new Superblock(pool, 0, geometry, 0, 1, 1, 0, FORMAT);
    }

    /** That of the next checkpoint, from which on that segment's records count, the first with that number. */
    public Superblock after(long segment, long number) {
        return new Superblock(pool, checkpoint + 1, geometry, losses, segment, number, 0, FORMAT);
    }

    /** The same with the sum of the maps. */
    public Superblock with(long sum) {
        return new Superblock(pool, checkpoint, geometry, losses, firstSegment, firstNumber, sum, format);
    }

    /** The same with one loss more, for the next ones to keep. */
    public Superblock afterLoss() {
        return new Superblock(pool, checkpoint, geometry, losses + 1, firstSegment, firstNumber, mapsSum, format);
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
                .putInt(losses)
                .putLong(firstSegment)
                .putLong(firstNumber)
                .putLong(mapsSum);
        bytes.put(FORMAT_OFFSET, (byte) ('0' + FORMAT / TEN)).put(FORMAT_OFFSET + 1, (byte) ('0' + FORMAT % TEN));
        bytes.putInt(CRC_OFFSET, Checksums.of(bytes, 0, CRC_OFFSET));
        return bytes.clear();
    }

    /** The format of the one in {@code bytes}; empty if no good one is there. */
    public static Optional<Integer> formatOf(ByteBuffer bytes) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (fields.capacity() < BYTES
                || (fields.getLong(0) & MAGIC_MASK) != MAGIC
                || fields.getInt(CRC_OFFSET) != Checksums.of(fields, 0, CRC_OFFSET)) {
            return Optional.empty();
        }
        return Optional.of((fields.get(FORMAT_OFFSET) - '0') * TEN + fields.get(FORMAT_OFFSET + 1) - '0');
    }

    /** The one in {@code bytes}, if a good one is, of this format or one before. */
    public static Optional<Superblock> parse(ByteBuffer bytes) {
        Optional<Integer> format = formatOf(bytes).filter(found -> found >= 1 && found <= FORMAT);
        if (format.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        fields.position(Long.BYTES);
        UUID pool = new UUID(fields.getLong(), fields.getLong());
        long checkpoint = fields.getLong();
        Geometry geometry = new Geometry(fields.getInt());
        int losses = fields.getInt();
        return Optional.of(new Superblock(
                pool,
                checkpoint,
                geometry,
                losses,
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                format.get()));
    }
}
