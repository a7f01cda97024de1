package dev.retier.state.verbs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The message by which a node that closes in good order tells those that see it, so that they know it from one that
 * broke. Stateless.
 */
final class Goodbye {
    private static final byte[] BYTES = "RTBYE".getBytes(StandardCharsets.US_ASCII);

    private Goodbye() {}

    static ByteBuffer message() {
        return ByteBuffer.wrap(BYTES);
    }

    static boolean isSaidBy(byte[] message) {
        return Arrays.equals(message, BYTES);
    }
}
