package dev.retier.volume.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * What a client is told when it has connected, in {@value #BYTES} bytes of the handshake.
 *
 * <pre>
 *   0                               8                               16
 *  +-------------------------------+-------------------------------+-------------------------------+
 *  | life of the server            | boot id of its machine                                        |
 *  +---------------+---------------+---------------+---------------+-------------------------------+
 *  | credits       | staging slots | slot bytes    | longest req.  | requests: address             |
 *  +---------------+---------------+---------------+---------------+-------------------------------+
 *  | requests: key | staging: key  | staging: address              |
 * </pre>
 *
 * @param life a number of this run of the server
 * @param boot of the machine that it runs on: another one when that has started anew
 * @param credits how many requests the client may have under way, 1 to 65535
 * @param slots how many of these may push data
 * @param slotBytes of a staging slot
 * @param longest request for data, in bytes
 * @param requests where the client writes its requests: {@link Request#BYTES} for each credit, by tag
 * @param staging where it writes data that it pushes: a slot for each tag below {@code slots}
 */
public record Grant(
        long life, UUID boot, int credits, int slots, int slotBytes, int longest, Place requests, Place staging) {
    /** Of one. */
    public static final int BYTES = 64;

    /**
     * Memory of the server that the client may write.
     *
     * @param address where it begins
     * @param key for this connection alone
     */
    public record Place(long address, int key) {}

    private static final int MOST = 0xFFFF;

    /** Refuses what no server grants with {@link IllegalArgumentException}. */
    public Grant {
        boolean isGood =
                credits >= 1 && credits <= MOST && slots >= 0 && slots <= credits && slotBytes >= 0 && longest >= 1;
        if (!isGood) {
            throw new IllegalArgumentException(
                    credits + " credits, " + slots + " slots of " + slotBytes + " bytes, longest " + longest);
        }
    }

    /** As it is told. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(life)
                .putLong(boot.getMostSignificantBits())
                .putLong(boot.getLeastSignificantBits())
                .putInt(credits)
                .putInt(slots)
                .putInt(slotBytes)
                .putInt(longest)
                .putLong(requests.address)
                .putInt(requests.key)
                .putInt(staging.key)
                .putLong(staging.address)
                .array();
    }

    /** What a server told; empty if no server tells that. */
    public static Optional<Grant> parse(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        long life = bytes.getLong();
        UUID boot = new UUID(bytes.getLong(), bytes.getLong());
        int credits = bytes.getInt();
        int slots = bytes.getInt();
        int slotBytes = bytes.getInt();
        int longest = bytes.getInt();
        long requests = bytes.getLong();
        int requestsKey = bytes.getInt();
        int stagingKey = bytes.getInt();
        long staging = bytes.getLong();
        try {
            return Optional.of(new Grant(
                    life,
                    boot,
                    credits,
                    slots,
                    slotBytes,
                    longest,
                    new Place(requests, requestsKey),
                    new Place(staging, stagingKey)));
        } catch (IllegalArgumentException impossible) {
            return Optional.empty();
        }
    }
}
