package dev.retier.fabric;

import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.auth.Handshake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a node tells a peer that has connected: where the ring for its calls is, and how large. Big-endian.
 *
 * <pre>
 *  ring address 8 | ring key 4 | ring bytes 4 | messages 4 | body bytes 4 | zero 8
 * </pre>
 */
record RingGrant(RemotePlace ring, RingLimits limits) {
    byte[] encode() {
        return ByteBuffer.allocate(Handshake.GRANT_BYTES)
                .put(ring.emit())
                .putInt(limits.ringBytes())
                .putInt(limits.messages())
                .putInt(limits.bodyBytes())
                .array();
    }

    /** Where the ring of a peer is that grants {@code bytes}, with the same limits as this node's. */
    static RemotePlace ring(ByteBuffer bytes, RingLimits limits) throws IOException {
        if (bytes.remaining() < Handshake.GRANT_BYTES) {
            throw new IOException("it grants " + bytes.remaining() + " bytes");
        }
        ByteBuffer fields = bytes.duplicate();
        RemotePlace ring = new RemotePlace(fields.getLong(), fields.getInt());
        List<Integer> theirs = List.of(fields.getInt(), fields.getInt(), fields.getInt());
        List<Integer> ours = List.of(limits.ringBytes(), limits.messages(), limits.bodyBytes());
        if (!theirs.equals(ours)) {
            throw new IOException("its bytes, messages and bodies of a ring are " + theirs + ", ours " + ours
                    + ": give all nodes the same limits");
        }
        return ring;
    }
}
