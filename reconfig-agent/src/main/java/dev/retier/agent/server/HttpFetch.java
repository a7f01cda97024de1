package dev.retier.agent.server;

import dev.retier.config.HostPort;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GET and forms over one kept connection (RFC 9112), with a deadline on the whole exchange and a bound on its size. An
 * agent asks its server many times per second: this costs a tenth of what a general client does. Not thread-safe.
 */
public final class HttpFetch implements AutoCloseable {
    private static final int MAX_HEAD_BYTES = 16 << 10;
    private static final int MAX_BODY_BYTES = 1 << 20;
    /** Holds most answers whole. */
    private static final int BUFFER_BYTES = 2 << 10;

    /** Answers that have no body (RFC 9110, section 6.4.1). */
    private static final int NO_CONTENT = 204;

    private static final int NOT_MODIFIED = 304;
    private static final int MAX_LINE_BYTES = 1 << 10;
    private static final int MAX_TRAILER_FIELDS = 64;
    /** "HTTP/1.1 200" */
    private static final int STATUS_END = 12;

    private static final int MAX_DIGITS = 9;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final HostPort address;
    /** What follows the path in the head of every request. */
    private final String headEnd;

    private @Nullable Wire wire;

    /**
     * An answer.
     *
     * @param status the status code
     * @param headers by name in lower case; of repeated ones the last
     * @param body as UTF-8 text
     */
    public record Answer(int status, Map<String, String> headers, String body) {}

    /** A client of the server at {@code address}; connects when first used. */
    public HttpFetch(HostPort address) {
        this.address = address;
        this.headEnd = " HTTP/1.1\r\nHost: " + address + "\r\nUser-Agent: retier\r\n";
    }

    /**
     * The answer to {@code GET path}. A kept connection that the server has closed meanwhile is opened anew.
     *
     * @param timeout for the whole exchange
     * @throws IOException when there is no whole answer in time
     */
    public Answer get(String path, Duration timeout) throws IOException {
        return ask(head(path) + "\r\n", timeout);
    }

    /**
     * The answer to {@code GET path} with one more header; on a kept connection that was closed meanwhile it is sent
     * again.
     *
     * @param timeout for the whole exchange
     * @throws IOException when there is no whole answer in time
     */
    public Answer getSaying(String path, String header, String value, Duration timeout) throws IOException {
        return ask(head(path) + header + ": " + value + "\r\n\r\n", timeout);
    }

    /**
     * The answer to {@code GET path} once it is another than the one known, or 304 after a while (RFC 7240, wait).
     *
     * @param knownTag entity tag of what is known, empty for nothing
     * @param waitSeconds how long the server may wait for another
     * @param timeout for the whole exchange, longer than that
     * @throws IOException when there is no whole answer in time
     */
    public Answer getAfter(String path, String knownTag, int waitSeconds, Duration timeout) throws IOException {
        String condition =
                knownTag.isEmpty() ? "" : "If-None-Match: " + knownTag + "\r\nPrefer: wait=" + waitSeconds + "\r\n";
        return ask(head(path) + condition + "\r\n", timeout);
    }

    private String head(String path) {
        return "GET " + path + headEnd;
    }

    /**
     * The answer to a form sent to {@code path}, by which nothing may change that may not change twice: on a kept
     * connection that was closed meanwhile it is sent again.
     *
     * @param form encoded as {@code application/x-www-form-urlencoded}
     * @param timeout for the whole exchange
     * @throws IOException when there is no whole answer in time
     */
    public Answer postForm(String path, String form, Duration timeout) throws IOException {
        String head = "POST " + path + headEnd + "Referer: http://" + address + path
                + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                + "\r\n\r\n";
        return ask(head + form, timeout);
    }

    private Answer ask(String request, Duration timeout) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        boolean isKept = wire != null;
        try {
            return exchange(request, deadlineNanos);
        } catch (SocketTimeoutException e) {
            close();
            throw e;
        } catch (IOException e) {
            close();
            if (!isKept) {
                throw e;
            }
        }
        try {
            return exchange(request, deadlineNanos);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Answer exchange(String request, long deadlineNanos) throws IOException {
        Wire open = connect(deadlineNanos);
        open.socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        open.input.expectBy(deadlineNanos);
        return read(open.buffered);
    }

    private Wire connect(long deadlineNanos) throws IOException {
        Wire open = wire;
        if (open == null) {
            Socket socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(address.host(), address.port()), millisLeft(deadlineNanos));
                Input input = new Input(socket);
                open = new Wire(socket, input, new BufferedInputStream(input, BUFFER_BYTES));
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            wire = open;
        }
        return open;
    }

    private Answer read(InputStream stream) throws IOException {
        String head = head(stream);
        int status = status(head);
        Map<String, String> headers = headers(head);
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            return new Answer(status, headers, "");
        }
        boolean isChunked = "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
        byte[] body =
                isChunked ? chunks(stream) : bytes(stream, length(headers.getOrDefault("content-length", "missing")));
        if ("close".equalsIgnoreCase(headers.get("connection"))) {
            close();
        }
        return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(InputStream stream, int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int got = 0; got < length; ) {
            got += readSome(stream, bytes, got);
        }
        return bytes;
    }

    /** A body in chunks (RFC 9112, section 7.1); trailer fields are read and dropped. */
    private static byte[] chunks(InputStream stream) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int size = chunkSize(line(stream));
        while (size > 0) {
            if (body.size() + size > MAX_BODY_BYTES) {
                throw new IOException("body of the answer is longer than " + MAX_BODY_BYTES + " bytes");
            }
            body.writeBytes(bytes(stream, size));
            if (!line(stream).isEmpty()) {
                throw new IOException("a chunk is longer than it says");
            }
            size = chunkSize(line(stream));
        }
        int fields = 0;
        while (!line(stream).isEmpty()) {
            if (++fields > MAX_TRAILER_FIELDS) {
                throw new IOException("more than " + MAX_TRAILER_FIELDS + " trailer fields");
            }
        }
        return body.toByteArray();
    }

    private static int chunkSize(String line) throws IOException {
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).strip();
        if (!digits.matches("[0-9A-Fa-f]{1,6}")) {
            throw new IOException("not the size of a chunk");
        }
        return Integer.parseInt(digits, 16);
    }

    private static String line(InputStream stream) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = readByte(stream);
        while (next != '\n') {
            if (line.length() == MAX_LINE_BYTES) {
                throw new IOException("a line of the body is longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.append((char) next);
            next = readByte(stream);
        }
        int last = line.length() - 1;
        if (last >= 0 && line.charAt(last) == '\r') {
            line.setLength(last);
        }
        return line.toString();
    }

    private static int readByte(InputStream stream) throws IOException {
        int next = stream.read();
        if (next < 0) {
            throw new EOFException("connection closed in the answer");
        }
        return next;
    }

    /** Of a head that ends with an empty line; what is no field is left out. */
    private static Map<String, String> headers(String head) {
        Map<String, String> headers = new HashMap<>();
        int start = 0;
        for (int end = head.indexOf("\r\n"); end >= 0; end = head.indexOf("\r\n", start)) {
            int colon = head.indexOf(':', start, end);
            if (colon > start) {
                headers.put(
                        head.substring(start, colon).toLowerCase(Locale.ROOT),
                        head.substring(colon + 1, end).strip());
            }
            start = end + 2;
        }
        return headers;
    }

    private static String head(InputStream stream) throws IOException {
        byte[] head = new byte[BUFFER_BYTES];
        int length = 0;
        while (length < 4 || !isEnd(head, length)) {
            if (length == MAX_HEAD_BYTES) {
                throw new IOException("head of the answer is longer than " + MAX_HEAD_BYTES + " bytes");
            }
            if (length == head.length) {
                head = Arrays.copyOf(head, 2 * length);
            }
            head[length++] = (byte) readByte(stream);
        }
        return new String(head, 0, length, StandardCharsets.US_ASCII);
    }

    private static boolean isEnd(byte[] head, int length) {
        return head[length - 1] == '\n'
                && head[length - 2] == '\r'
                && head[length - 3] == '\n'
                && head[length - 4] == '\r';
    }

    private static int readSome(InputStream stream, byte[] body, int from) throws IOException {
        int count = stream.read(body, from, body.length - from);
        if (count < 0) {
            throw new EOFException("connection closed in the body of the answer");
        }
        return count;
    }

    private static int status(String head) throws IOException {
        boolean isHttp =
                head.indexOf("\r\n") >= STATUS_END && (head.startsWith("HTTP/1.1 ") || head.startsWith("HTTP/1.0 "));
        if (!isHttp) {
            throw new IOException("not an HTTP answer");
        }
        return number(head.substring(STATUS_END - 3, STATUS_END), 999);
    }

    private static int length(String text) throws IOException {
        int length = number(text, MAX_BODY_BYTES);
        if (length < 0) {
            throw new IOException("Content-Length " + text + " is not in 0.." + MAX_BODY_BYTES);
        }
        return length;
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

    private static int millisLeft(long deadlineNanos) throws SocketTimeoutException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("no whole answer in time");
        }
        return (int) Math.max(1, left / NANOS_PER_MILLI);
    }

    /** Closes the connection; the next use opens one. Idempotent. */
    @Override
    public void close() {
        Wire open = wire;
        wire = null;
        if (open != null) {
            try {
                open.socket.close();
            } catch (IOException e) {
                // The connection is given up either way; the next use opens a new one.
                return;
            }
        }
    }

    /** An open connection. */
    private record Wire(Socket socket, Input input, InputStream buffered) {}

    /** What comes over the connection; who waits for it waits no longer than until the deadline. */
    private static final class Input extends InputStream {
        private final Socket socket;
        private final InputStream in;
        private long deadlineNanos;

        Input(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        void expectBy(long newDeadlineNanos) {
            deadlineNanos = newDeadlineNanos;
        }

        @Override
        public int read() throws IOException {
            socket.setSoTimeout(millisLeft(deadlineNanos));
            return in.read();
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            socket.setSoTimeout(millisLeft(deadlineNanos));
            return in.read(into, from, length);
        }
    }
}
