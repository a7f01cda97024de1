package dev.retier.fabric;

import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.auth.Handshake;
import java.nio.ByteBuffer;

/**
 * What a node tells a peer that has connected: where the ring for its calls is, and how large. Big-endian.
 *
 * <pre>
 *  ring address 8 | ring key 4 | ring bytes 4 | messages 4 | body bytes 4 | zero 8
 * </pre>
 */
record RingGrant(RemotePlace ring, RingLimits limits) {
    static final int PLACE_BYTES = Long.BYTES + Integer.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(Handshake.GRANT_BYTES)
                .put(encodePlace(ring))
                .putInt(limits.ringBytes())
                .putInt(limits.messages())
                .putInt(limits.bodyBytes())
                .array();
    }

    /** Throws {@link IllegalArgumentException} if it is too short, or the limits are not possible. */
    static RingGrant decode(ByteBuffer grant) {
        if (grant.remaining() < Handshake.GRANT_BYTES) {
            throw new IllegalArgumentException("it grants " + grant.remaining() + " bytes");
        }
        ByteBuffer fields = grant.duplicate();
        RemotePlace ring = new RemotePlace(fields.getLong(), fields.getInt());
        return new RingGrant(ring, new RingLimits(fields.getInt(), fields.getInt(), fields.getInt()));
    }

    /** The part of it that {@link #decodePlace} reads. */
    static byte[] encodePlace(RemotePlace place) {
        return ByteBuffer.allocate(PLACE_BYTES)
                .putLong(place.address())
                .putInt(place.key())
                .array();
    }

    static RemotePlace decodePlace(ByteBuffer fields) {
        return new RemotePlace(fields.getLong(), fields.getInt());
    }
}
