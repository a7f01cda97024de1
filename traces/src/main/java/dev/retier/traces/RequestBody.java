package dev.retier.traces;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * What a request carries beside its head. Immutable, thread-safe.
 *
 * <p>A shared one is the same for many requests: it is held in memory once, or mapped from a file, and takes nothing of
 * a queue that they wait in.
 */
public final class RequestBody {
    /** A longer body is refused, unless it is shared: many of them wait in memory to be sent. */
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final Pattern TYPE =
            Pattern.compile("[\\w.+!#$&^-]{1,127}/[\\w.+!#$&^-]{1,127}(?:; ?[ -+\\--~]{1,127})?");

    private final String contentType;
    private final ByteBuffer bytes;
    private final boolean isShared;

    private RequestBody(String contentType, ByteBuffer bytes, boolean isShared) {
        if (!TYPE.matcher(contentType).matches()) {
            throw new IllegalArgumentException("content type is not of the form type/subtype");
        }
        this.contentType = contentType;
        this.bytes = bytes.asReadOnlyBuffer();
        this.isShared = isShared;
    }

    /**
     * Copies the bytes.
     *
     * @param contentType as in {@code text/plain; charset=utf-8}, without commas
     * @throws IllegalArgumentException when the type cannot stand in a Content-Type field, or there are too many bytes
     */
    public RequestBody(String contentType, byte[] bytes) {
        this(contentType, ByteBuffer.wrap(bytes.clone()), false);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("body is longer than " + MAX_BYTES + " bytes");
        }
    }

    /**
     * One for many requests. What remains in {@code bytes}, which is not copied and must not change, is the body;
     * outside the heap (direct, or mapped from a file) it is sent without being copied.
     *
     * @throws IllegalArgumentException when the type cannot stand in a Content-Type field
     */
    public static RequestBody shared(String contentType, ByteBuffer bytes) {
        return new RequestBody(contentType, bytes.slice(), true);
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
        return bytes.remaining();
    }

    /** Whether other requests have the same one. */
    public boolean isShared() {
        return isShared;
    }

    /** The bytes, to be read only. */
    public ByteBuffer buffer() {
        return bytes.duplicate();
    }

    /** The bytes in Base64 (RFC 4648). */
    public String base64() {
        byte[] copy = new byte[lengthBytes()];
        buffer().get(copy);
        return Base64.getEncoder().encodeToString(copy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestBody that && contentType.equals(that.contentType) && bytes.equals(that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * contentType.hashCode() + bytes.hashCode();
    }

    /** Type and length, not the content. */
    @Override
    public String toString() {
        return contentType + ", " + lengthBytes() + " bytes";
    }
}
