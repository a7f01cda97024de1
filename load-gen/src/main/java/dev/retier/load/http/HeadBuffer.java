package dev.retier.load.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Collects bytes up to the empty line that ends a head. One thread. */
final class HeadBuffer {
    private static final int USUAL_BYTES = 512;

    private final int maxBytes;
    private byte[] bytes = new byte[USUAL_BYTES];
    private int length;

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
            int end = endOfHead(Math.max(0, length - 3), length + copied);
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

    boolean isEmpty() {
        return length == 0;
    }

    void clear() {
        length = 0;
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
