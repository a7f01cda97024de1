package dev.retier.agent.observe;

import dev.retier.agent.config.HostPort;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GET over one kept connection (RFC 9112), with a deadline on the whole exchange and a bound on its size. An agent asks
 * its server many times per second: this costs a tenth of what a general client does. Not thread-safe.
 */
public final class HttpFetch implements AutoCloseable {
    private static final int MAX_HEAD_BYTES = 16 << 10;
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final HostPort address;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

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
    }

    /**
     * The answer to {@code GET path}. A kept connection that the server has closed meanwhile is opened anew.
     *
     * @param timeout for the whole exchange
     * @throws IOException when there is no whole answer in time
     */
    public Answer get(String path, Duration timeout) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        boolean isKept = socket != null;
        try {
            return exchange(path, deadlineNanos);
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
            return exchange(path, deadlineNanos);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Answer exchange(String path, long deadlineNanos) throws IOException {
        Socket open = connect(deadlineNanos);
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nUser-Agent: retier\r\n\r\n";
        open.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream stream = in;
        if (stream == null) {
            throw new EOFException("connection is closed");
        }
        return read(open, stream, deadlineNanos);
    }

    private Socket connect(long deadlineNanos) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            socket = open;
            open.setTcpNoDelay(true);
            open.connect(address.resolve(), millisLeft(deadlineNanos));
            in = new BufferedInputStream(open.getInputStream());
        }
        return open;
    }

    private Answer read(Socket open, InputStream stream, long deadlineNanos) throws IOException {
        String[] head = head(open, stream, deadlineNanos).split("\r\n", -1);
        int status = status(head[0]);
        Map<String, String> headers = headers(head);
        byte[] body = new byte[length(headers.getOrDefault("content-length", "missing"))];
        for (int got = 0; got < body.length; ) {
            got += readSome(open, stream, body, got, deadlineNanos);
        }
        if ("close".equalsIgnoreCase(headers.get("connection"))) {
            close();
        }
        return new Answer(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static Map<String, String> headers(String[] head) {
        Map<String, String> headers = new HashMap<>();
        for (String line : head) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    private static String head(Socket open, InputStream stream, long deadlineNanos) throws IOException {
        byte[] head = new byte[MAX_HEAD_BYTES];
        int length = 0;
        while (length < 4 || !isEnd(head, length)) {
            if (length == head.length) {
                throw new IOException("head of the answer is longer than " + MAX_HEAD_BYTES + " bytes");
            }
            open.setSoTimeout(millisLeft(deadlineNanos));
            int next = stream.read();
            if (next < 0) {
                throw new EOFException("connection closed in the head of the answer");
            }
            head[length++] = (byte) next;
        }
        return new String(head, 0, length, StandardCharsets.US_ASCII);
    }

    private static boolean isEnd(byte[] head, int length) {
        return head[length - 1] == '\n'
                && head[length - 2] == '\r'
                && head[length - 3] == '\n'
                && head[length - 4] == '\r';
    }

    private static int readSome(Socket open, InputStream stream, byte[] body, int from, long deadlineNanos)
            throws IOException {
        open.setSoTimeout(millisLeft(deadlineNanos));
        int count = stream.read(body, from, body.length - from);
        if (count < 0) {
            throw new EOFException("connection closed in the body of the answer");
        }
        return count;
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] \\d{3}.*")) {
            throw new IOException("not an HTTP answer");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private static int length(String text) throws IOException {
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) > MAX_BODY_BYTES) {
            throw new IOException("Content-Length " + text + " is not in 0.." + MAX_BODY_BYTES);
        }
        return Integer.parseInt(text);
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
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The connection is given up either way; the next use opens a new one.
                return;
            }
        }
    }
}
