package dev.retier.bench.pressure;

import dev.retier.config.HostPort;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The clients of some servers: those of a situation, each with a connection that it keeps, and others that come anew
 * twenty times a second and ask for a page that is kept. Thread-safe.
 */
final class Asking implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long NEW_EVERY_NANOS = 50_000_000;
    private static final int RECEIVE_BUFFER = 16_384;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String LENGTH = "content-length:";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Situation situation;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong came = new AtomicLong();
    private final AtomicLong served = new AtomicLong();
    private volatile boolean isOver;

    /**
     * What clients have had so far.
     *
     * @param answered requests of those of the situation
     * @param bytes that they have read
     * @param came how many came anew and have waited their second or got their answer
     * @param served those of them that got it
     */
    record Count(long answered, long bytes, long came, long served) {
        Count since(Count before) {
            return new Count(
                    answered - before.answered, bytes - before.bytes, came - before.came, served - before.served);
        }
    }

    /** Begins; the clients are dealt out to {@code servers} in turn. */
    Asking(Situation situation, List<HostPort> servers) {
        this.situation = situation;
        IntStream.range(0, situation.clients())
                .forEach(client -> threads.execute(() -> keepAsking(servers.get(client % servers.size()))));
        threads.execute(() -> comeAnew(servers));
    }

    Count count() {
        return new Count(answered.get(), bytes.get(), came.get(), served.get());
    }

    private void keepAsking(HostPort server) {
        while (!isOver) {
            try (Socket socket = connect(server)) {
                InputStream in = new BufferedInputStream(socket.getInputStream(), RECEIVE_BUFFER);
                while (!isOver) {
                    ask(socket, situation.path());
                    read(in, situation.bytesPerSecond());
                    answered.incrementAndGet();
                    LockSupport.parkNanos(
                            Duration.ofMillis(situation.pauseMillis()).toNanos());
                }
            } catch (IOException e) {
                LockSupport.parkNanos(NEW_EVERY_NANOS); // closed by the server: comes again
            }
        }
    }

    private void comeAnew(List<HostPort> servers) {
        long nextNanos = System.nanoTime();
        for (int visit = 0; !isOver; visit++) {
            HostPort server = servers.get(visit % servers.size());
            threads.execute(() -> comeAnew(server));
            nextNanos += NEW_EVERY_NANOS;
            LockSupport.parkNanos(Math.max(1, nextNanos - System.nanoTime()));
        }
    }

    private void comeAnew(HostPort server) {
        try (Socket socket = connect(server)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            ask(socket, BackEnd.PAGE);
            read(new BufferedInputStream(socket.getInputStream()), Long.MAX_VALUE);
            served.incrementAndGet();
        } catch (IOException e) {
            // has waited its second
        }
        came.incrementAndGet();
    }

    private static Socket connect(HostPort server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(RECEIVE_BUFFER);
        socket.connect(new InetSocketAddress(server.host(), server.port()), (int) PATIENCE.toMillis());
        return socket;
    }

    private static void ask(Socket socket, String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    /** One answer to its end, no faster than so many bytes a second. */
    private void read(InputStream in, long bytesPerSecond) throws IOException {
        long left = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                left = Long.parseLong(line.substring(LENGTH.length()).strip());
            }
        }
        byte[] part = new byte[RECEIVE_BUFFER];
        while (left > 0 && !isOver) {
            int read = in.read(part, 0, (int) Math.min(part.length, left));
            if (read < 0) {
                throw new EOFException();
            }
            left -= read;
            bytes.addAndGet(read);
            if (bytesPerSecond < Long.MAX_VALUE) {
                LockSupport.parkNanos((long) (read * NANOS_PER_SECOND / bytesPerSecond));
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        isOver = true;
        threads.shutdownNow();
    }
}
