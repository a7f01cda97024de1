package dev.retier.volume.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Where a server's table is, in {@value #BYTES} bytes of the handshake. The key is good on this connection alone.
 *
 * <pre>
 *  address 8 | key 4 | rows 4
 * </pre>
 *
 * @param rows that there is room for, 1 to {@value VolumeTable#MOST_ROWS}
 */
public record TableGrant(long address, int key, int rows) {
    /** Of one. */
    public static final int BYTES = 16;

    /** Refuses what no server grants with {@link IllegalArgumentException}. */
    public TableGrant {
        if (rows < 1 || rows > VolumeTable.MOST_ROWS) {
            throw new IllegalArgumentException(rows + " rows");
        }
    }

    /** As it is told. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(address)
                .putInt(key)
                .putInt(rows)
                .array();
    }

    /** What a server told; empty if no server tells that. */
    public static Optional<TableGrant> parse(ByteBuffer from) {
        if (from.remaining() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            return Optional.of(new TableGrant(bytes.getLong(), bytes.getInt(), bytes.getInt()));
        } catch (IllegalArgumentException impossible) {
            return Optional.empty();
        }
    }
}
