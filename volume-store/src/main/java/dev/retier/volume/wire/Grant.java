package dev.retier.volume.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * What a client is told when it has connected, in {@value #BYTES} bytes of the handshake.
 *
 * <pre>
 *   0               4               8                               16              20
 *  +-------------------------------+-------------------------------+
 *  | boot id of the server's machine                               |
 *  +---------------+---------------+-------------------------------+---------------+---------------+
 *  | slots         | slot bytes    | slots: address                | slots: key    | zero          |
 *  +---------------+---------------+-------------------------------+---------------+---------------+
 *  | id of the pool                                                |
 * </pre>
 *
 * @param boot of the machine that the server runs on: another one when that has started anew, or what was
 *     answered and not flushed may be gone all the same
 * @param pool that the server has: in another one the same numbers are other volumes
 * @param slots how many requests the client may have under way, 1 to 65535; each has a slot, by number
 * @param slotBytes of a slot: a request and its data, or an answer and its data
 * @param address where the client writes its requests
 * @param key by which it may, on this connection
 */
public record Grant(UUID boot, UUID pool, int slots, int slotBytes, long address, int key) {
    /** Of one. */
    public static final int BYTES = 56;

    private static final int POOL_OFFSET = 40;
    private static final int MOST_SLOTS = 0xFFFF;
    /** The longest slots that a client is ready to have. */
    private static final int MOST_SLOT_BYTES = 1 << 20;

    /** Refuses what no server grants with {@link IllegalArgumentException}. */
    public Grant {
        if (slots < 1 || slots > MOST_SLOTS || slotBytes < 2 * Request.BYTES || slotBytes > MOST_SLOT_BYTES) {
            throw new IllegalArgumentException(slots + " slots of " + slotBytes + " bytes");
        }
    }

    /** As it is told. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(boot.getMostSignificantBits())
                .putLong(boot.getLeastSignificantBits())
                .putInt(slots)
                .putInt(slotBytes)
                .putLong(address)
                .putInt(key)
                .putInt(0)
                .putLong(pool.getMostSignificantBits())
                .putLong(pool.getLeastSignificantBits())
                .array();
    }

    /** What a server told; empty if no server tells that. */
    public static Optional<Grant> parse(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        UUID boot = new UUID(bytes.getLong(), bytes.getLong());
        UUID pool = new UUID(bytes.getLong(POOL_OFFSET), bytes.getLong(POOL_OFFSET + Long.BYTES));
        try {
            return Optional.of(new Grant(boot, pool, bytes.getInt(), bytes.getInt(), bytes.getLong(), bytes.getInt()));
        } catch (IllegalArgumentException impossible) {
            return Optional.empty();
        }
    }
}
