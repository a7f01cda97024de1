package dev.retier.link.auth;

import java.nio.charset.StandardCharsets;

/**
 * What a connection may do with the node that accepted it. An open set: each upper layer defines its own, and proves
 * it with a key of its own, so that an answer of one kind of connection is worth nothing on another.
 *
 * @param code 1 to 255, as on the wire; never used for something else again
 * @param label of the key in version 2 of the handshake, and the name for people; empty for the secret itself
 */
public record Right(int code, String label) {
    private static final int MAX_CODE = 0xFF;

    /** Refuses a code out of range with {@link IllegalArgumentException}. */
    public Right {
        if (code < 1 || code > MAX_CODE) {
            throw new IllegalArgumentException("right " + code + " is not in 1.." + MAX_CODE);
        }
    }

    /** From what the key of this right is derived; nothing for the secret itself. */
    byte[] keyLabel(int version) {
        String text = version == Versions.FORMER ? label : "retier handshake 3 right " + code;
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return label.isEmpty() ? "right " + code : "right " + code + " (" + label + ")";
    }
}
