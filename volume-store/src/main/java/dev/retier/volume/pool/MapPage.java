package dev.retier.volume.pool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where a row of a volume's clusters lies. Each page has two slots in the file of its volume, written in turn: good is
 * the newer one of a checkpoint that was ended.
 *
 * <pre>
 *  checkpoint 8 | CRC 4 | magic "RTMP" 4 | 510 times: place + 1, 0 for none 8
 * </pre>
 *
 * @param checkpoint with which it was written
 * @param places of {@value #ENTRIES} clusters; {@link #NOWHERE} for one that holds nothing
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record MapPage(long checkpoint, int[] places) {
    /** Of a cluster without a place: it reads as zeros. */
    public static final int NOWHERE = -1;

    /** Clusters of one page. */
    public static final int ENTRIES = 510;

    /** Of one slot. */
    public static final int BYTES = 4096;

    private static final int MAGIC = 0x504D_5452;
    private static final int CRC_OFFSET = 8;
    private static final int MAGIC_OFFSET = 12;
    private static final int HEADER_BYTES = 16;

    /** A page of clusters without places. */
    public static int[] nowhere() {
        int[] places = new int[ENTRIES];
        Arrays.fill(places, NOWHERE);
        return places;
    }

    /** As it is written. */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0, checkpoint).putInt(MAGIC_OFFSET, MAGIC).position(HEADER_BYTES);
        for (int place : places) {
            bytes.putLong(place + 1L);
        }
        bytes.putInt(CRC_OFFSET, crc(bytes));
        return bytes.clear();
    }

    private static int crc(ByteBuffer bytes) {
        return Checksums.of(bytes, 0, CRC_OFFSET) ^ Checksums.of(bytes, MAGIC_OFFSET, BYTES - MAGIC_OFFSET);
    }

    /** The one in {@code bytes}, if a good one is. */
    public static Optional<MapPage> parse(ByteBuffer bytes) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (fields.capacity() != BYTES
                || fields.getInt(MAGIC_OFFSET) != MAGIC
                || fields.getInt(CRC_OFFSET) != crc(fields)) {
            return Optional.empty();
        }
        fields.position(HEADER_BYTES);
        int[] places = new int[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            long place = fields.getLong() - 1;
            if (place < NOWHERE || place > Integer.MAX_VALUE) {
                return Optional.empty(); // no program writes that
            }
            places[i] = (int) place;
        }
        return Optional.of(new MapPage(fields.getLong(0), places));
    }
}
