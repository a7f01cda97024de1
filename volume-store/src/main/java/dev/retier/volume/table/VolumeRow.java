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
 *  | 112 bytes in the journal      | 120 client                    |
 *  +-------------------------------+-------------------------------+
 * </pre>
 *
 * @param number at its server
 * @param name of it
 * @param bytes its size
 * @param epoch of its last attachment, unsigned
 * @param client that has it attached, by its life; 0 if none has
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
        long client,
        int readers,
        Load load,
        Room room,
        Health health) {
    /** Of one. */
    public static final int BYTES = 128;

    private static final int NUMBER = 64;
    private static final int EPOCH = 68;
    private static final int SIZE = 72;
    private static final int USED = 80;
    private static final int READERS = 88;
    private static final int HEALTH = 92;
    private static final int REQUESTS = 96;
    private static final int TRAFFIC = 104;
    private static final int JOURNAL = 112;
    private static final int CLIENT = 120;

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
        return client != 0 || readers != 0;
    }

    /** Writes all its bytes at {@code at}; {@code into} is little-endian. */
    void encode(ByteBuffer into, int at) {
        byte[] text = name.value().getBytes(StandardCharsets.US_ASCII);
        into.put(at, (byte) text.length)
                .put(at + 1, new byte[VolumeName.MAX_LENGTH])
                .put(at + 1, text);
        into.putInt(at + NUMBER, number)
                .putInt(at + EPOCH, epoch)
                .putLong(at + SIZE, bytes)
                .putLong(at + USED, room.usedBytes)
                .putInt(at + READERS, readers)
                .putInt(at + HEALTH, health.code)
                .putDouble(at + REQUESTS, load.requestsPerSecond)
                .putDouble(at + TRAFFIC, load.bytesPerSecond)
                .putLong(at + JOURNAL, room.journalBytes)
                .putLong(at + CLIENT, client);
    }

    /** The one at {@code at}; empty if that is none. */
    static Optional<VolumeRow> parse(ByteBuffer from, int at) {
        byte[] text = new byte[Math.min(Byte.toUnsignedInt(from.get(at)), VolumeName.MAX_LENGTH)];
        from.get(at + 1, text);
        Optional<VolumeName> name = VolumeName.parse(new String(text, StandardCharsets.US_ASCII));
        return Health.of(from.getInt(at + HEALTH))
                .flatMap(health -> name.map(called -> new VolumeRow(
                        from.getInt(at + NUMBER),
                        called,
                        from.getLong(at + SIZE),
                        from.getInt(at + EPOCH),
                        from.getLong(at + CLIENT),
                        from.getInt(at + READERS),
                        new Load(from.getDouble(at + REQUESTS), from.getDouble(at + TRAFFIC)),
                        new Room(from.getLong(at + USED), from.getLong(at + JOURNAL)),
                        health)));
    }
}
