package dev.retier.load.drive;

import dev.retier.load.target.Target;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A server whose answers are known in advance: request {@code /N} is held for some milliseconds, a share of the numbers
 * fails in one way, and once it stands still for a while. It notes by its own clock how long it held each.
 */
final class KnownServer implements AutoCloseable {
    private static final int SLOWEST_MILLIS = 12;

    private final TestServer server = TestServer.start();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Map<String, Long> heldNanos = new ConcurrentHashMap<>();
    private final Spoiling spoiling;
    private final int failedPercent;
    private final long freezeFromNanos;
    private final long freezeToNanos;
    private final long startNanos = System.nanoTime();

    /** How a request fails. */
    enum Spoiling {
        NOT_FOUND("STATUS_4XX"),
        BROKEN("STATUS_5XX"),
        RESET("RESET"),
        SILENCE("TIMEOUT"),
        HALF("TRUNCATED_BODY");

        private final String outcome;

        Spoiling(String outcome) {
            this.outcome = outcome;
        }

        /** What the generator calls it. */
        String outcome() {
            return outcome;
        }
    }

    /** Of 100 numbers, {@code failedPercent} fail; it stands still in this time of its life. */
    KnownServer(Spoiling spoiling, int failedPercent, long freezeFromMillis, long freezeToMillis) {
        this.spoiling = spoiling;
        this.failedPercent = failedPercent;
        this.freezeFromNanos = TimeUnit.MILLISECONDS.toNanos(freezeFromMillis);
        this.freezeToNanos = TimeUnit.MILLISECONDS.toNanos(freezeToMillis);
        server.behaving(this::answer);
    }

    Target target() {
        return server.target();
    }

    /** Whether the request for {@code url} fails. */
    boolean spoils(String url) {
        return number(url) * 37 % 100 < failedPercent;
    }

    /** How long it held the request for {@code url} before it answered. */
    long heldNanos(String url) {
        Long held = heldNanos.get(url);
        return held == null ? 0 : held;
    }

    @Override
    public void close() {
        never.countDown();
        server.close();
    }

    private boolean answer(String requestLine, Socket socket) throws IOException, InterruptedException {
        String url = requestLine.substring(requestLine.indexOf(' ') + 1, requestLine.lastIndexOf(' '));
        long begin = System.nanoTime();
        hold(TimeUnit.MILLISECONDS.toNanos(1 + number(url) % SLOWEST_MILLIS));
        long age = System.nanoTime() - startNanos;
        if (age >= freezeFromNanos && age < freezeToNanos) {
            hold(freezeToNanos - age);
        }
        heldNanos.put(url, System.nanoTime() - begin);
        if (!spoils(url)) {
            return TestServer.answerOk(requestLine, socket);
        }
        return switch (spoiling) {
            case NOT_FOUND -> TestServer.send(socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            case BROKEN -> TestServer.send(socket, "HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nno");
            case RESET -> false;
            case SILENCE -> {
                never.await();
                yield false;
            }
            case HALF -> {
                TestServer.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf");
                yield false;
            }
        };
    }

    private void hold(long nanos) throws InterruptedException {
        if (never.await(nanos, TimeUnit.NANOSECONDS)) {
            throw new InterruptedException("the server is closed");
        }
    }

    private static int number(String url) {
        return Integer.parseInt(url.substring(1));
    }
}
