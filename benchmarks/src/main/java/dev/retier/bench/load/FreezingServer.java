package dev.retier.bench.load;

import dev.retier.bench.Stats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server in a process of its own, on one thread, that stands still once: some time after the first measured request
 * it answers nobody for a while, then all who wait. As requests are due at a fixed rate, the one that it answered
 * soonest tells when each of them was due; so its own clock says how long users had to wait at least, if they are
 * answered in their order. Ends by a signal.
 *
 * <p>{@code /warm} is answered and not counted, {@code /report} tells what was counted, all else is measured. It takes
 * requests without a body, each in one piece.
 */
final class FreezingServer {
    private static final int BACKLOG = 4096;
    private static final int BODY_BYTES = 1024;
    private static final int READ_BYTES = 16 * 1024;
    private static final double NINETY_NINE = 0.99;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String END_OF_HEAD = "\r\n".repeat(2);
    private static final ByteBuffer ANSWER = answer("x".repeat(BODY_BYTES));

    private final double perSecond;
    private final long freezeAfterNanos;
    private final long freezeNanos;
    private final ByteBuffer incoming = ByteBuffer.allocate(READ_BYTES);
    private final Stats waitMillis = new Stats();
    private long firstNanos;
    private long thawedNanos;
    private double frozenMillis;

    private FreezingServer(double perSecond, long freezeAfterMillis, long freezeMillis) {
        this.perSecond = perSecond;
        this.freezeAfterNanos = TimeUnit.MILLISECONDS.toNanos(freezeAfterMillis);
        this.freezeNanos = TimeUnit.MILLISECONDS.toNanos(freezeMillis);
    }

    /** Arguments: requests per second, milliseconds from the first of them to the freeze, its milliseconds. */
    public static void main(String... arguments) throws IOException {
        FreezingServer server = new FreezingServer(
                Double.parseDouble(arguments[0]), Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            IO.println(((InetSocketAddress) listener.getLocalAddress()).getPort());
            server.serve(selector, listener);
        }
    }

    private void serve(Selector selector, ServerSocketChannel listener) throws IOException {
        while (true) {
            long wait = firstNanos == 0 || thawedNanos != 0
                    ? Long.MAX_VALUE
                    : firstNanos + freezeAfterNanos - System.nanoTime();
            if (wait <= 0) {
                freeze();
                continue;
            }
            selector.select(wait == Long.MAX_VALUE ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept(selector, listener);
                } else {
                    read(key);
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void freeze() {
        long began = System.nanoTime();
        for (long left = freezeNanos; left > 0; left = began + freezeNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        thawedNanos = System.nanoTime();
        frozenMillis = (thawedNanos - began) / NANOS_PER_MILLI;
    }

    private static void accept(Selector selector, ServerSocketChannel listener) throws IOException {
        for (SocketChannel client = listener.accept(); client != null; client = listener.accept()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_READ);
        }
    }

    private void read(SelectionKey key) {
        SocketChannel client = (SocketChannel) key.channel();
        try {
            incoming.clear();
            if (client.read(incoming) < 0) {
                client.close();
                return;
            }
            String text = new String(incoming.array(), 0, incoming.position(), StandardCharsets.ISO_8859_1);
            int start = 0;
            for (int end = text.indexOf(END_OF_HEAD); end >= 0; end = text.indexOf(END_OF_HEAD, start)) {
                write(client, answerTo(text.substring(start, end)));
                start = end + END_OF_HEAD.length();
            }
            if (start < text.length()) {
                throw new IOException("a request came in pieces");
            }
        } catch (IOException gone) {
            key.cancel();
            try {
                client.close();
            } catch (IOException _) {
                // It is gone anyhow.
            }
        }
    }

    private ByteBuffer answerTo(String head) {
        if (head.startsWith("GET /report ")) {
            return answer(report());
        }
        if (!head.startsWith("GET /warm ")) {
            long now = System.nanoTime();
            if (firstNanos == 0) {
                firstNanos = now;
            }
            double dueNanos = waitMillis.count() * NANOS_PER_SECOND / perSecond;
            waitMillis.add((now - firstNanos - dueNanos) / NANOS_PER_MILLI);
        }
        return ANSWER.duplicate();
    }

    /** Answered, milliseconds frozen, then of the waits median, 99th percentile and longest in milliseconds. */
    private String report() {
        return String.format(
                Locale.ROOT,
                "%d %f %f %f %f",
                waitMillis.count(),
                frozenMillis,
                waitMillis.median() - waitMillis.least(),
                waitMillis.quantile(NINETY_NINE) - waitMillis.least(),
                waitMillis.most() - waitMillis.least());
    }

    private static void write(SocketChannel client, ByteBuffer answer) throws IOException {
        while (answer.hasRemaining()) {
            if (client.write(answer) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static ByteBuffer answer(String body) {
        String text = String.join(
                "\r\n", "HTTP/1.1 200 OK", "Content-Type: text/plain", "Content-Length: " + body.length(), "", body);
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
