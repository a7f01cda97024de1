package dev.retier.agent.server;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One answer of an HTTP server (RFC 9112) out of what of it has come so far, with a bound on its size: who waits for
 * the rest may do something else meanwhile. Not thread-safe.
 */
final class AnswerBytes {
    private static final int MAX_HEAD_BYTES = 16 << 10;
    private static final int MAX_BODY_BYTES = 1 << 20;
    /** Chunks of a few bytes each take as much again for their sizes. */
    private static final int MAX_BYTES = MAX_HEAD_BYTES + 2 * MAX_BODY_BYTES;
    /** Holds most answers whole. */
    private static final int FIRST_BYTES = 4 << 10;

    /** Answers that have no body (RFC 9110, section 6.4.1). */
    private static final int NO_CONTENT = 204;

    private static final int NOT_MODIFIED = 304;
    private static final int MAX_LINE_BYTES = 1 << 10;
    private static final int MAX_TRAILER_FIELDS = 64;
    /** "HTTP/1.1 200" */
    private static final int STATUS_END = 12;

    private static final int MAX_DIGITS = 9;
    private static final String HEAD_END = "\r\n\r\n";

    private final ByteArrayOutputStream chunks = new ByteArrayOutputStream(0);
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private int status;
    private Map<String, String> headers = Map.of();
    /** Where the part that is not understood yet begins; 0 until the head is whole. */
    private int next;

    private boolean isClosed;
    private boolean isLastChunkRead;
    private int trailerFields;

    /**
     * Waits for more, as long as {@code stream} does, and takes in what has come.
     *
     * @throws IOException when no more comes, or it is more than an answer may be
     */
    void readFrom(InputStream stream) throws IOException {
        if (length == bytes.length) {
            if (length >= MAX_BYTES) {
                throw new IOException("the answer is longer than " + MAX_BYTES + " bytes");
            }
            bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, 2 * length));
        }
        int count = stream.read(bytes, length, bytes.length - length);
        if (count < 0 && !(next > 0 && isEndedByClose())) {
            throw new EOFException("connection closed in the " + (next > 0 ? "body of the " : "") + "answer");
        }
        isClosed = count < 0;
        length += Math.max(0, count);
    }

    /**
     * The answer; null while a part of it is still to come.
     *
     * @throws IOException when it is none, or longer than it may be
     */
    HttpFetch.@Nullable Answer whole() throws IOException {
        if (next == 0 && !readHead()) {
            return null;
        }
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            return new HttpFetch.Answer(status, headers, "");
        }
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return readChunks() ? new HttpFetch.Answer(status, headers, chunks.toString(StandardCharsets.UTF_8)) : null;
        }
        boolean isEndedByClose = isEndedByClose();
        if (isEndedByClose && length - next > MAX_BODY_BYTES) {
            throw tooLong();
        }
        int body = isEndedByClose ? length - next : bodyLength(headers.getOrDefault("content-length", ""));
        if (isEndedByClose ? !isClosed : length - next < body) {
            return null;
        }
        next += body;
        return new HttpFetch.Answer(status, headers, text(next - body, next, StandardCharsets.UTF_8));
    }

    /** Whether its body ends with the connection (RFC 9112, section 6.3, the last rule). */
    private boolean isEndedByClose() {
        return !headers.containsKey("content-length") && !headers.containsKey("transfer-encoding");
    }

    /** Whether the connection can be used again: the server keeps it, and has sent nothing behind the answer. */
    boolean isConnectionKept() {
        return next == length && !isClosed && !"close".equalsIgnoreCase(headers.get("connection"));
    }

    /** Begins with the next answer. */
    void clear() {
        length = 0;
        next = 0;
        isLastChunkRead = false;
        trailerFields = 0;
        chunks.reset();
    }

    private boolean readHead() throws IOException {
        String head = text(0, Math.min(length, MAX_HEAD_BYTES), StandardCharsets.US_ASCII);
        int end = head.indexOf(HEAD_END);
        if (end < 0) {
            if (length >= MAX_HEAD_BYTES) {
                throw new IOException("head of the answer is longer than " + MAX_HEAD_BYTES + " bytes");
            }
            return false;
        }
        status = status(head);
        headers = headers(head, end + 2);
        next = end + HEAD_END.length();
        return true;
    }

    private static int status(String head) throws IOException {
        if (head.indexOf("\r\n") < STATUS_END || !(head.startsWith("HTTP/1.1 ") || head.startsWith("HTTP/1.0 "))) {
            throw new IOException("not an HTTP answer");
        }
        return number(head.substring(STATUS_END - 3, STATUS_END), 999);
    }

    /** Of a head whose last field ends at {@code end}; what is no field is left out. */
    private static Map<String, String> headers(String head, int end) {
        Map<String, String> headers = new HashMap<>();
        int start = head.indexOf("\r\n") + 2;
        while (start < end) {
            int lineEnd = head.indexOf("\r\n", start);
            int colon = head.indexOf(':', start, lineEnd);
            if (colon > start) {
                headers.put(
                        head.substring(start, colon).toLowerCase(Locale.ROOT),
                        head.substring(colon + 1, lineEnd).strip());
            }
            start = lineEnd + 2;
        }
        return headers;
    }

    /** A body in chunks (RFC 9112, section 7.1); trailer fields are read and dropped. False while it is not whole. */
    private boolean readChunks() throws IOException {
        while (!isLastChunkRead) {
            int lineEnd = lineEnd(next);
            if (lineEnd < 0) {
                return false;
            }
            int size = chunkSize(line(next, lineEnd));
            if (chunks.size() + size > MAX_BODY_BYTES) {
                throw tooLong();
            }
            isLastChunkRead = size == 0;
            if (!isLastChunkRead && !readChunk(lineEnd + 1, size)) {
                return false;
            }
            next = isLastChunkRead ? lineEnd + 1 : next;
        }
        return readTrailer();
    }

    private boolean readChunk(int start, int size) throws IOException {
        int end = start + size;
        int lineEnd = end < length ? lineEnd(end) : -1;
        if (lineEnd < 0) {
            return false;
        }
        if (!line(end, lineEnd).isEmpty()) {
            throw new IOException("a chunk is longer than it says");
        }
        chunks.write(bytes, start, size);
        next = lineEnd + 1;
        return true;
    }

    private boolean readTrailer() throws IOException {
        for (int end = lineEnd(next); end >= 0; end = lineEnd(next)) {
            boolean isLast = line(next, end).isEmpty();
            next = end + 1;
            if (isLast) {
                return true;
            }
            if (++trailerFields > MAX_TRAILER_FIELDS) {
                throw new IOException("more than " + MAX_TRAILER_FIELDS + " trailer fields");
            }
        }
        return false;
    }

    private static int chunkSize(String line) throws IOException {
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).strip();
        if (!digits.matches("[0-9A-Fa-f]{1,6}")) {
            throw new IOException("not the size of a chunk");
        }
        return Integer.parseInt(digits, 16);
    }

    /** Where the line that starts there ends, or -1 while its end has not come. */
    private int lineEnd(int start) throws IOException {
        for (int at = start; at < length; at++) {
            if (bytes[at] == '\n') {
                return at;
            }
            if (at - start >= MAX_LINE_BYTES) {
                throw new IOException("a line of the body is longer than " + MAX_LINE_BYTES + " bytes");
            }
        }
        return -1;
    }

    private String line(int start, int end) {
        boolean hasReturn = end > start && bytes[end - 1] == '\r';
        return text(start, hasReturn ? end - 1 : end, StandardCharsets.ISO_8859_1);
    }

    private String text(int start, int end, Charset charset) {
        return new String(bytes, start, end - start, charset);
    }

    private int bodyLength(String text) throws IOException {
        int length = number(text, Integer.MAX_VALUE);
        if (length > MAX_BODY_BYTES || (length < 0 && text.length() > MAX_DIGITS && text.matches("[0-9]+"))) {
            throw tooLong();
        }
        if (length < 0) {
            throw new IOException("Content-Length " + text + " is no length");
        }
        return length;
    }

    private LongAnswerException tooLong() {
        return new LongAnswerException(new HttpFetch.Answer(status, headers, ""), MAX_BODY_BYTES);
    }

    /** A plain decimal number up to {@code max}, or -1. */
    private static int number(String text, int max) {
        if (text.isEmpty() || text.length() > MAX_DIGITS) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = 10 * value + digit - '0';
        }
        return value <= max ? value : -1;
    }
}
