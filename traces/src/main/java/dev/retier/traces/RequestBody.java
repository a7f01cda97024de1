package dev.retier.traces;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/** What a request carries beside its head. Immutable, thread-safe. */
public final class RequestBody {
    /** A longer body is refused: many of them wait in memory to be sent. */
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final Pattern TYPE =
            Pattern.compile("[\\w.+!#$&^-]{1,127}/[\\w.+!#$&^-]{1,127}(?:; ?[ -+\\--~]{1,127})?");

    private final String contentType;
    private final byte[] bytes;

    /**
     * Copies the bytes.
     *
     * @param contentType as in {@code text/plain; charset=utf-8}, without commas
     * @throws IllegalArgumentException when the type cannot stand in a Content-Type field, or there are too many bytes
     */
    public RequestBody(String contentType, byte[] bytes) {
        if (!TYPE.matcher(contentType).matches()) {
            throw new IllegalArgumentException("content type is not of the form type/subtype");
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("body is longer than " + MAX_BYTES + " bytes");
        }
        this.contentType = contentType;
        this.bytes = bytes.clone();
    }

    /**
     * A body from its Base64 form.
     *
     * @throws IllegalArgumentException as the constructor, or when {@code base64} is none
     */
    public static RequestBody ofBase64(String contentType, String base64) {
        return new RequestBody(contentType, Base64.getDecoder().decode(base64));
    }

    /** Value of the Content-Type field. */
    public String contentType() {
        return contentType;
    }

    /** Length of the body. */
    public int lengthBytes() {
        return bytes.length;
    }

    /** The bytes, to be read only. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** The bytes in Base64 (RFC 4648). */
    public String base64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestBody that
                && contentType.equals(that.contentType)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * contentType.hashCode() + Arrays.hashCode(bytes);
    }

    /** Type and length, not the content. */
    @Override
    public String toString() {
        return contentType + ", " + bytes.length + " bytes";
    }
}
