package dev.retier.fabric;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Memory of a peer, as its {@link Registration} names it; good only on the connection for which it was registered.
 *
 * @param key what the peer's registration returned
 */
public record RemotePlace(long address, int key) {
    private static final int LENGTH_BYTES = Long.BYTES + Integer.BYTES;

    /** As {@link #parse} reads it, big-endian: address 8, key 4. */
    public byte[] emit() {
        return ByteBuffer.allocate(LENGTH_BYTES).putLong(address).putInt(key).array();
    }

    /** What {@link #emit} wrote; nothing if the length is another. */
    public static Optional<RemotePlace> parse(byte[] bytes) {
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        return bytes.length == LENGTH_BYTES
                ? Optional.of(new RemotePlace(fields.getLong(), fields.getInt()))
                : Optional.empty();
    }

    /** The place {@code bytes} further on. */
    public RemotePlace plus(long bytes) {
        return new RemotePlace(address + bytes, key);
    }
}
