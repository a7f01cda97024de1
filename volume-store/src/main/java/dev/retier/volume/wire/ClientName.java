package dev.retier.volume.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client is called, for people: the machine and the process, as it says itself.
 *
 * @param value printable ASCII, at most {@value #MOST_BYTES} bytes
 */
public record ClientName(String value) {
    /** Of one. */
    public static final int MOST_BYTES = 100;

    /** Takes what is not printable for a question mark, and cuts what is too long. */
    public ClientName {
        value = value.substring(0, Math.min(value.length(), MOST_BYTES)).replaceAll("[^ -~]", "?");
    }

    /** What {@code bytes} say. */
    public static ClientName of(ByteBuffer bytes) {
        ByteBuffer some = bytes.slice(bytes.position(), Math.min(bytes.remaining(), MOST_BYTES));
        return new ClientName(StandardCharsets.US_ASCII.decode(some).toString());
    }

    /** As it is told. */
    public ByteBuffer encode() {
        return StandardCharsets.US_ASCII.encode(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
