package dev.retier.bench.pressure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * An app that needs hardly any processor time: a page at once, one of 16 MiB, and what is not there, which takes long
 * to find out. Thread-safe.
 */
final class BackEnd implements AutoCloseable {
    /** May be kept for an hour. */
    static final String PAGE = "/static/page";
    /** More than a cache keeps, and than the system takes for a client that reads slowly. */
    static final String LARGE = "/static/large";
    /** Is not there, and takes 100 ms to be looked for. */
    static final String GONE = "/static/gone";

    private static final int PAGE_BYTES = 1_024;
    private static final int LARGE_BYTES = 16 << 20;
    private static final Duration SEARCH = Duration.ofMillis(100);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /**
     * Serves.
     *
     * @throws IOException if the port is taken
     */
    BackEnd(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext(PAGE, exchange -> {
            exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
            answer(exchange, OK, PAGE_BYTES);
        });
        server.createContext(LARGE, exchange -> answer(exchange, OK, LARGE_BYTES));
        server.createContext(GONE, exchange -> {
            LockSupport.parkNanos(SEARCH.toNanos());
            answer(exchange, NOT_FOUND, PAGE_BYTES);
        });
        server.setExecutor(workers);
        server.start();
    }

    private static void answer(HttpExchange exchange, int code, int bytes) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(code, bytes);
            exchange.getResponseBody().write(new byte[bytes]);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
