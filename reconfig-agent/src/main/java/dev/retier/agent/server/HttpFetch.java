package dev.retier.agent.server;

import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GET and forms over one kept connection (RFC 9112), with a deadline on the whole exchange and a bound on its size. An
 * agent asks its server many times per second: this costs a tenth of what a general client does. Not thread-safe.
 */
public final class HttpFetch implements AutoCloseable {
    private final HostPort address;
    private final Credentials credentials;
    /** What follows the path in the head of every request. */
    private final String headEnd;

    private @Nullable Wire wire;
    private boolean isUnderWay;

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
        this(address, address.toString());
    }

    /** One that asks for the host of that name, of which a server may have several. */
    public HttpFetch(HostPort address, String host) {
        this(address, host, Credentials.NONE);
    }

    /** A client of the agent at {@code address}. */
    public HttpFetch(HostPort address, Credentials credentials) {
        this(address, address.toString(), credentials);
    }

    private HttpFetch(HostPort address, String host, Credentials credentials) {
        this.address = address;
        this.credentials = credentials;
        this.headEnd = " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: retier\r\n";
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
        return getSaying(path, Map.of(header, value), timeout);
    }

    /** The same with several. */
    public Answer getSaying(String path, Map<String, String> headers, Duration timeout) throws IOException {
        StringBuilder request = new StringBuilder(head(path));
        headers.forEach((header, value) ->
                request.append(header).append(": ").append(value).append("\r\n"));
        return ask(request.append("\r\n").toString(), timeout);
    }

    /**
     * What {@code GET path} is answered with, but for the body: that may be a page or a file of any length.
     *
     * @param timeout for the whole exchange
     * @throws IOException when there is no whole answer in time
     */
    public Answer probe(String path, Duration timeout) throws IOException {
        return probe(path, Map.of(), timeout);
    }

    /** The same, asked with more headers. */
    public Answer probe(String path, Map<String, String> headers, Duration timeout) throws IOException {
        try {
            return getSaying(path, headers, timeout);
        } catch (LongAnswerException e) {
            return e.begun(); // with its connection closed: nobody waits for the rest
        }
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

    /** The page itself, as if somebody had followed a link on it. */
    String referer(String path) {
        return "http://" + address + path;
    }

    private String head(String path) {
        return "GET " + path + headEnd
                + credentials
                        .token()
                        .map(token -> "Authorization: Bearer " + token + "\r\n")
                        .orElse("");
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
        String head = "POST " + path + headEnd + "Referer: " + referer(path)
                + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                + "\r\n\r\n";
        return ask(head + form, timeout);
    }

    /** An answer that is awaited is given up, with its connection. */
    private Answer ask(String request, Duration timeout) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        if (isUnderWay) {
            close();
        }
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
        send(open, request);
        return read(open, deadlineNanos);
    }

    /** Whether a request can go out at once: a connection is open, and nothing is under way on it. */
    boolean isOpen() {
        return wire != null && !isUnderWay;
    }

    /** Whether an answer is awaited to what {@link #begin} has sent. */
    boolean isUnderWay() {
        return isUnderWay;
    }

    /**
     * Sends {@code GET path} on the open connection, and waits for nothing; {@link #await} gives the answer.
     *
     * @throws IOException when it cannot be sent; the connection is closed
     */
    void begin(String path) throws IOException {
        Wire open = wire;
        if (open == null || isUnderWay) {
            throw new IllegalStateException("nothing can be begun: no connection, or an answer is awaited");
        }
        try {
            send(open, head(path) + "\r\n");
        } catch (IOException e) {
            close();
            throw e;
        }
        isUnderWay = true;
    }

    /**
     * The answer to what was begun; null when it has not come whole in time, and may still.
     *
     * @throws IOException when there will be none; the connection is closed
     */
    @Nullable
    Answer await(Duration patience) throws IOException {
        Wire open = wire;
        if (open == null || !isUnderWay) {
            throw new IllegalStateException("nothing was begun");
        }
        try {
            Answer answer = read(open, System.nanoTime() + patience.toNanos());
            isUnderWay = false;
            return answer;
        } catch (SocketTimeoutException e) {
            // What has come of it is kept for the next call.
            return null;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * The answer to what was begun.
     *
     * @throws IOException when there is no whole answer in time; the connection is closed
     */
    Answer finish(Duration timeout) throws IOException {
        Answer answer = await(timeout);
        if (answer == null) {
            close();
            throw new SocketTimeoutException("no whole answer in time");
        }
        return answer;
    }

    private static void send(Wire open, String request) throws IOException {
        open.socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    private Answer read(Wire open, long deadlineNanos) throws IOException {
        open.tcp.endReadsAt(deadlineNanos);
        Answer answer = open.came.whole();
        while (answer == null) {
            open.came.readFrom(open.input);
            answer = open.came.whole();
        }
        if (open.came.isConnectionKept()) {
            open.came.clear();
        } else {
            close();
        }
        return answer;
    }

    private Wire connect(long deadlineNanos) throws IOException {
        Wire open = wire;
        if (open == null) {
            TimedSocket tcp = new TimedSocket();
            try {
                tcp.setTcpNoDelay(true);
                tcp.endReadsAt(deadlineNanos);
                tcp.connect(new InetSocketAddress(address.host(), address.port()), tcp.millisLeft());
                Socket used = credentials.secured(tcp, address);
                open = new Wire(tcp, used, used.getInputStream(), new AnswerBytes());
            } catch (IOException e) {
                tcp.close();
                throw e;
            }
            wire = open;
        }
        return open;
    }

    /** Closes the connection; the next use opens one. Idempotent. */
    @Override
    public void close() {
        Wire open = wire;
        wire = null;
        isUnderWay = false;
        if (open != null) {
            try {
                open.socket.close();
            } catch (IOException e) {
                // The connection is given up either way; the next use opens a new one.
                return;
            }
        }
    }

    /** An open connection, beneath TLS and with it, and what has come of the next answer. */
    private record Wire(TimedSocket tcp, Socket socket, InputStream input, AnswerBytes came) {}
}
