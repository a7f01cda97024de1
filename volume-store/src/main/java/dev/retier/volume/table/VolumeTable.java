package dev.retier.volume.table;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a server tells of its volumes, in memory of its own that others read by one RDMA read. The pool is the truth;
 * this only tells of it, and is written anew some times per second.
 *
 * <pre>
 *   0               4       6       8                               16
 *  +---------------+-------+-------+-------------------------------+
 *  | magic "RTVT"  | since | as of | number of this writing        |
 *  +---------------+-------+-------+-------------------------------+
 *  | life of the server            | used bytes                    |
 *  +-------------------------------+-------------------------------+
 *  | free bytes                    | bytes of the journal          |
 *  +---------------+---------------+---------------+---------------+
 *  | rows          | volumes       | zero          | CRC32C        |
 *  +---------------+---------------+---------------+---------------+
 *  | 64: rows of 256 bytes: VolumeRow                              |
 * </pre>
 *
 * <p>Little-endian. <b>Whole or torn</b>: as of a slot of the shared state, the checksum alone decides, over
 * all bytes of header and rows but its own; it is computed over the reader's copy, so that nobody needs a fence.
 * Versions are those of a slot, too: written {@code as of} one, to be read by whoever knows the one {@code since} which
 * it can be.
 *
 * @param life of the server
 * @param number of this writing; grows
 * @param room of its pool
 * @param volumes how many there are, which may be more than rows
 * @param rows the volumes with the lowest numbers, in order
 */
public record VolumeTable(long life, long number, Room room, int volumes, List<VolumeRow> rows) {
    /** Of the header. */
    public static final int HEADER_BYTES = 64;

    /** Of one table. */
    public static final int MOST_ROWS = 1024;

    private static final int MAGIC = 0x5456_5452;
    private static final short VERSION = 2;

    private static final int SINCE = 4;
    private static final int AS_OF = 6;
    private static final int NUMBER = 8;
    private static final int LIFE = 16;
    private static final int USED = 24;
    private static final int FREE = 32;
    private static final int JOURNAL = 40;
    private static final int ROWS = 48;
    private static final int VOLUMES = 52;
    private static final int ZERO = 56;
    private static final int CRC = 60;

    /** Of a pool: clusters that hold something, what its file system has left, its journal; in bytes. */
    public record Room(long usedBytes, long freeBytes, long journalBytes) {}

    /** What a copy of a table turned out to hold. */
    public sealed interface Reading {
        /** A table, whole. */
        record Whole(VolumeTable table) implements Reading {}

        /** A table of so many rows, which are more than were copied. */
        record Longer(int rows) implements Reading {}

        /** The copy met the writer in the middle; another one may be whole. */
        record Torn() implements Reading {}

        /** The bytes are no table of a version that is read. */
        record Malformed(String reason) implements Reading {}
    }

    /** Keeps its own copy; refuses more than {@value #MOST_ROWS} rows with {@link IllegalArgumentException}. */
    public VolumeTable {
        rows = List.copyOf(rows);
        if (rows.size() > MOST_ROWS) {
            throw new IllegalArgumentException(rows.size() + " rows");
        }
    }

    /** Bytes of a table with so many rows. */
    public static int bytes(int rows) {
        return HEADER_BYTES + rows * VolumeRow.BYTES;
    }

    /** Whether its server has not written it anew since: it does that twice per second, if it does anything. */
    public boolean isSameWriting(VolumeTable before) {
        return life == before.life && number == before.number;
    }

    /** The volume of that name. */
    public Optional<VolumeRow> named(VolumeName name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst();
    }

    /** Writes it to the beginning of {@code into}. */
    public void encode(ByteBuffer into) {
        ByteBuffer bytes = into.slice(0, bytes(rows.size())).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(0, MAGIC)
                .putShort(SINCE, VERSION)
                .putShort(AS_OF, VERSION)
                .putLong(NUMBER, number)
                .putLong(LIFE, life)
                .putLong(USED, room.usedBytes)
                .putLong(FREE, room.freeBytes)
                .putLong(JOURNAL, room.journalBytes)
                .putInt(ROWS, rows.size())
                .putInt(VOLUMES, volumes)
                .putInt(ZERO, 0);
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).encode(bytes, bytes(i));
        }
        bytes.putInt(CRC, Checksums.around(bytes, CRC));
    }

    /** Judges a copy, which changes no more; of a table, the header at least. */
    public static Reading parse(ByteBuffer copy) {
        ByteBuffer bytes = copy.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != MAGIC) {
            return new Reading.Malformed("no table of volumes: the magic word is missing");
        }
        if (bytes.getShort(SINCE) > VERSION || bytes.getShort(AS_OF) < VERSION) {
            return new Reading.Malformed("a table of versions " + bytes.getShort(SINCE) + " to " + bytes.getShort(AS_OF)
                    + ", only those of " + VERSION + " are read");
        }
        int rows = bytes.getInt(ROWS);
        if (rows < 0 || rows > MOST_ROWS) {
            return new Reading.Malformed("a table of " + rows + " rows");
        }
        if (bytes(rows) > bytes.capacity()) {
            return new Reading.Longer(rows);
        }
        return bytes.getInt(CRC) == Checksums.around(bytes.slice(0, bytes(rows)), CRC)
                ? decode(bytes, rows)
                : new Reading.Torn();
    }

    private static Reading decode(ByteBuffer bytes, int count) {
        List<VolumeRow> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Optional<VolumeRow> row = VolumeRow.parse(bytes, bytes(i));
            if (row.isEmpty()) {
                return new Reading.Malformed("row " + i + " tells of no volume");
            }
            rows.add(row.get());
        }
        Room room = new Room(bytes.getLong(USED), bytes.getLong(FREE), bytes.getLong(JOURNAL));
        return new Reading.Whole(
                new VolumeTable(bytes.getLong(LIFE), bytes.getLong(NUMBER), room, bytes.getInt(VOLUMES), rows));
    }
}
