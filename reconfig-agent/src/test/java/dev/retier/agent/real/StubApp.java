package dev.retier.agent.real;

import com.sun.net.httpserver.HttpServer;
import dev.retier.agent.config.ServerConfig;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Answers every request with one text, at once, late or when it is told to: an app for a proxy that is under test. */
final class StubApp implements AutoCloseable {
    private final HttpServer server;
    private final CompletableFuture<@Nullable Void> go;
    private final AtomicInteger begun = new AtomicInteger();
    private volatile String newest = "";
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    StubApp(String text) {
        this(text, Duration.ZERO);
    }

    /** Each answer takes so long to make. */
    StubApp(String text, Duration work) {
        this(text, 0, work, CompletableFuture.completedFuture(null));
    }

    /** Answers nothing before {@code go} is completed, which this does when it is closed. */
    StubApp(String text, CompletableFuture<@Nullable Void> go) {
        this(text, 0, Duration.ZERO, go);
    }

    /** Where another one was. */
    StubApp(String text, HostPort address) {
        this(text, address.port(), Duration.ZERO, CompletableFuture.completedFuture(null));
    }

    private StubApp(String text, int port, Duration work, CompletableFuture<@Nullable Void> go) {
        this.go = go;
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            begun.incrementAndGet();
            newest = exchange.getRequestHeaders().getFirst("Host") + " " + exchange.getRequestURI();
            LockSupport.parkNanos(work.toNanos());
            go.join();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(workers);
        server.start();
    }

    /** The newest request: its host and its target as it came. */
    String newest() {
        return newest;
    }

    /** Requests that have come so far. */
    int requests() {
        return begun.get();
    }

    HostPort address() {
        return new HostPort("127.0.0.1", server.getAddress().getPort());
    }

    /** As a node of a cluster. */
    ServerConfig server() {
        return ServerConfig.webNode(
                address(), address(), Path.of("/nonexistent/" + address().port()));
    }

    @Override
    public void close() {
        go.complete(null);
        server.stop(0);
        workers.close();
    }
}
