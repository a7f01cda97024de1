package dev.retier.load.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Collects bytes up to the empty line that ends a head. Most answers on a connection have the head of the one before,
 * byte for byte; such a one is known by comparing, which costs far less than looking at each byte. One thread.
 */
final class HeadBuffer {
    private static final int USUAL_BYTES = 512;

    private final int maxBytes;
    private byte[] bytes = new byte[USUAL_BYTES];
    private int length;
    private byte[] last = new byte[USUAL_BYTES];
    private int lastLength;
    private boolean repeated;

    enum Fill {
        MORE,
        COMPLETE,
        TOO_LONG
    }

    HeadBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes bytes from {@code in} up to the end of the head. */
    Fill fill(ByteBuf in) {
        while (in.isReadable()) {
            if (length == bytes.length) {
                if (length >= maxBytes) {
                    return Fill.TOO_LONG;
                }
                bytes = Arrays.copyOf(bytes, Math.min(maxBytes, length * 2));
            }
            int copied = Math.min(in.readableBytes(), bytes.length - length);
            in.getBytes(in.readerIndex(), bytes, length, copied);
            repeated = length == 0 && startsLikeTheLast(copied);
            int end = repeated ? lastLength : endOfHead(Math.max(0, length - 3), length + copied);
            if (end >= 0) {
                in.skipBytes(end - length);
                length = end;
                return Fill.COMPLETE;
            }
            in.skipBytes(copied);
            length += copied;
        }
        return Fill.MORE;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Length of the collected head, its empty line included. */
    int length() {
        return length;
    }

    /** Whether the head is, byte for byte, the one that was complete before it. */
    boolean isRepeated() {
        return repeated;
    }

    boolean isEmpty() {
        return length == 0;
    }

    /** Whether what was collected agrees with {@code start}, as far as either goes; letters in any case. */
    boolean canStartWith(String start) {
        int compared = Math.min(length, start.length());
        return new String(bytes, 0, compared, StandardCharsets.ISO_8859_1)
                .equalsIgnoreCase(start.substring(0, compared));
    }

    /** Of the last complete head; as {@link ResponseFraming#field}. Reads the whole head: not for every answer. */
    @Nullable
    String field(String name) {
        String values = null;
        for (String line : new String(last, 0, lastLength, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon == name.length()
                    && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
                String value = line.substring(colon + 1).strip();
                values = values == null ? value : values + ", " + value;
            }
        }
        return values;
    }

    /** Makes ready for another head, after a complete one. */
    void next() {
        byte[] complete = bytes;
        bytes = last;
        last = complete;
        lastLength = length;
        length = 0;
    }

    /** Makes ready for another head, after one that was cut short or none. */
    void clear() {
        length = 0;
    }

    private boolean startsLikeTheLast(int filled) {
        return lastLength > 0 && filled >= lastLength && Arrays.equals(bytes, 0, lastLength, last, 0, lastLength);
    }

    /** Index after the first empty line, or -1. Lines end in CR LF, or LF alone (RFC 9112 section 2.2). */
    private int endOfHead(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                if (i + 1 < to && bytes[i + 1] == '\n') {
                    return i + 2;
                }
                if (i + 2 < to && bytes[i + 1] == '\r' && bytes[i + 2] == '\n') {
                    return i + 3;
                }
            }
        }
        return -1;
    }
}
