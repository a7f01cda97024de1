package dev.retier.volume.table;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A volume of a server, {@value #BYTES} bytes of its table.
 *
 * <pre>
 *   0       1                                               64
 *  +-------+-----------------------------------------------+
 *  | bytes | name, zeros behind it                         |
 *  +-------+-------+---------------+---------------+-------+-------+
 *  | 64 number     | epoch         | 72 size in bytes              |
 *  +---------------+---------------+-------------------------------+
 *  | 80 used bytes                 | 88 readers    | health        |
 *  +-------------------------------+---------------+---------------+
 *  | 96 requests/s (double)        | 104 bytes/s (double)          |
 *  +-------------------------------+-------------------------------+
 *  | 112 bytes in the journal      | bytes | 121 writer, zeros     |
 *  +-------------------------------+-------+-----------------------+
 *  | behind it up to 256                                           |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param number at its server
 * @param name of it
 * @param bytes its size
 * @param epoch of its last attachment, unsigned
 * @param writer who has it attached to write, as that calls itself: printable ASCII; empty if nobody has
 * @param readers how many read it beside that one
 * @param load what is asked of it
 * @param room what it takes
 * @param health how it is
 */
public record VolumeRow(
        int number,
        VolumeName name,
        long bytes,
        int epoch,
        String writer,
        int readers,
        Load load,
        Room room,
        Health health) {
    /** Of one. */
    public static final int BYTES = 256;

    private static final int NUMBER = 64;
    private static final int EPOCH = 68;
    private static final int SIZE = 72;
    private static final int USED = 80;
    private static final int READERS = 88;
    private static final int HEALTH = 92;
    private static final int REQUESTS = 96;
    private static final int TRAFFIC = 104;
    private static final int JOURNAL = 112;
    private static final int WRITER = 120;
    /** What a client may be called, and a few more. */
    private static final int MOST_WRITER = 127;

    /** Cuts a writer's name that is longer than {@value #MOST_WRITER}. */
    public VolumeRow {
        writer = writer.substring(0, Math.min(writer.length(), MOST_WRITER));
    }

    /** What is asked of it: requests and bytes of data, to it and from it, in a second. */
    public record Load(double requestsPerSecond, double bytesPerSecond) {
        /** Nothing. */
        public static final Load NONE = new Load(0, 0);
    }

    /**
     * What it takes of its pool.
     *
     * @param usedBytes clusters that hold something of it, as of the newest checkpoint
     * @param journalBytes that were written to it, each time, and are not in clusters yet
     */
    public record Room(long usedBytes, long journalBytes) {}

    /** How a volume is; by its code. */
    public enum Health {
        /** It can be read and written. */
        GOOD(1),
        /** Its pool takes no changes, as it has failed: what it holds can be read. */
        READ_ONLY(2),
        /** A block of it was not what had been written. */
        DAMAGED(3);

        private final int code;

        Health(int code) {
            this.code = code;
        }

        static Optional<Health> of(int code) {
            for (Health health : values()) {
                if (health.code == code) {
                    return Optional.of(health);
                }
            }
            return Optional.empty();
        }
    }

    /** Whether a client has it attached, to write or to read. */
    public boolean isAttached() {
        return !writer.isEmpty() || readers != 0;
    }

    /** Writes all its bytes at {@code at}; {@code into} is little-endian. */
    void encode(ByteBuffer into, int at) {
        put(into, at, name.value(), VolumeName.MAX_LENGTH);
        put(into, at + WRITER, writer, BYTES - WRITER - 1);
        into.putInt(at + NUMBER, number)
                .putInt(at + EPOCH, epoch)
                .putLong(at + SIZE, bytes)
                .putLong(at + USED, room.usedBytes)
                .putInt(at + READERS, readers)
                .putInt(at + HEALTH, health.code)
                .putDouble(at + REQUESTS, load.requestsPerSecond)
                .putDouble(at + TRAFFIC, load.bytesPerSecond)
                .putLong(at + JOURNAL, room.journalBytes);
    }

    private static void put(ByteBuffer into, int at, String text, int room) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        into.put(at, (byte) bytes.length).put(at + 1, new byte[room]).put(at + 1, bytes);
    }

    private static String text(ByteBuffer from, int at, int room) {
        byte[] text = new byte[Math.min(Byte.toUnsignedInt(from.get(at)), room)];
        from.get(at + 1, text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** The one at {@code at}; empty if that is none. */
    static Optional<VolumeRow> parse(ByteBuffer from, int at) {
        Optional<VolumeName> name = VolumeName.parse(text(from, at, VolumeName.MAX_LENGTH));
        return Health.of(from.getInt(at + HEALTH))
                .flatMap(health -> name.map(called -> new VolumeRow(
                        from.getInt(at + NUMBER),
                        called,
                        from.getLong(at + SIZE),
                        from.getInt(at + EPOCH),
                        text(from, at + WRITER, MOST_WRITER),
                        from.getInt(at + READERS),
                        new Load(from.getDouble(at + REQUESTS), from.getDouble(at + TRAFFIC)),
                        new Room(from.getLong(at + USED), from.getLong(at + JOURNAL)),
                        health)));
    }
}
