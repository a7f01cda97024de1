package dev.retier.agent.http;

import dev.retier.config.HostPort;
import dev.retier.config.RequestFraming;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.Protocols;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * The admin listener and its one I/O thread. Undertow's own server object neither closes a connection for another one's
 * sake nor says which there are, so the listener is put together here. Thread-safe.
 */
final class AdminEndpoint implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    /**
     * The JDK waits for a whole record of up to 33,093 bytes before it refuses one that is longer than TLS allows. One
     * that has no room in its buffer is asked for again without end, by the only I/O thread. A connection has two.
     */
    private static final int RECORD_BYTES = 34 << 10;

    private static final int BUFFERS_PER_THREAD = 4;
    private static final int ACCEPT_BACKLOG = 1_000;
    private static final int CLOSE_SECONDS = 5;
    /** Of the body of a command; what is sent to other paths all the same is passed over up to this. */
    private static final long MAX_ENTITY_BYTES = 4 << 10;

    private static final OptionMap LISTENING = OptionMap.builder()
            .set(Options.WORKER_IO_THREADS, 1)
            .set(Options.TCP_NODELAY, true)
            .set(Options.REUSE_ADDRESSES, true)
            .set(Options.BACKLOG, ACCEPT_BACKLOG)
            .getMap();

    private final XnioWorker worker;
    private final ByteBufferPool buffers = new DefaultByteBufferPool(true, BUFFER_BYTES, -1, BUFFERS_PER_THREAD);
    private final ByteBufferPool records = new DefaultByteBufferPool(true, RECORD_BYTES, -1, BUFFERS_PER_THREAD);
    private final ConnectionPlaces places;
    private final AcceptingChannel<? extends StreamConnection> server;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes the port; connections wait until {@link #start}.
     *
     * @param tls how connections are encrypted; empty where they are not
     * @param handler what answers, on the I/O thread
     * @throws IOException when the name is unknown or the port is taken
     */
    AdminEndpoint(HostPort address, AdminLimits limits, Optional<AdminTls> tls, HttpHandler handler)
            throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        if (resolved.isUnresolved()) {
            throw new UnknownHostException(address.host());
        }
        this.places = new ConnectionPlaces(limits.connections());
        HttpOpenListener connections = new HttpOpenListener(buffers, options(limits));
        connections.setRootHandler(exchange -> {
            SocketAddress peer = exchange.getConnection().getPeerAddress();
            exchange.addExchangeCompleteListener((_, next) -> {
                places.answered(peer);
                next.proceed();
            });
            framed(exchange, handler);
        });
        ChannelListener<StreamConnection> opened = connection -> {
            places.take(connection.getPeerAddress(), held(connection));
            limitWriting(connection, limits);
            connections.handleEvent(connection);
        };
        Xnio xnio = Xnio.getInstance(AdminEndpoint.class.getClassLoader());
        this.worker = xnio.createWorker(OptionMap.builder()
                .set(Options.WORKER_IO_THREADS, 1)
                .set(Options.WORKER_TASK_CORE_THREADS, 1)
                .set(Options.WORKER_TASK_MAX_THREADS, 1)
                .set(Options.THREAD_DAEMON, true)
                .getMap());
        try {
            this.server = tls.isPresent()
                    ? new UndertowXnioSsl(
                                    xnio, OptionMap.EMPTY, records, tls.get().context())
                            .createSslConnectionServer(
                                    worker,
                                    resolved,
                                    ChannelListeners.openListenerAdapter(opened),
                                    OptionMap.builder()
                                            .addAll(LISTENING)
                                            .addAll(tls.get().options())
                                            .getMap())
                    : worker.createStreamConnectionServer(
                            resolved, ChannelListeners.openListenerAdapter(opened), LISTENING);
        } catch (IOException | RuntimeException e) {
            worker.shutdownNow();
            throw e;
        }
    }

    /** Takes connections from now on. */
    void start() {
        server.resumeAccepts();
    }

    private static void framed(HttpServerExchange exchange, HttpHandler handler) throws Exception {
        HeaderMap fields = exchange.getRequestHeaders();
        boolean isOld = !exchange.getProtocol().equals(Protocols.HTTP_1_1);
        Optional<RequestFraming.Refusal> refusal = RequestFraming.refusal(
                isOld, values(fields.get(Headers.TRANSFER_ENCODING)), values(fields.get(Headers.CONTENT_LENGTH)));
        if (refusal.isEmpty()) {
            handler.handleRequest(exchange);
            return;
        }
        exchange.setPersistent(false);
        new Problem(refusal.get().status(), refusal.get().reason(), "send the request as RFC 9112 section 6 says")
                .send(exchange);
    }

    private static List<String> values(@Nullable HeaderValues field) {
        return field == null ? List.of() : field;
    }

    private static void limitWriting(StreamConnection connection, AdminLimits limits) {
        try {
            connection.setOption(Options.WRITE_TIMEOUT, (int) limits.answer().toMillis());
        } catch (IOException e) {
            IoUtils.safeClose(connection); // only one that is closed already refuses
        }
    }

    private static OptionMap options(AdminLimits limits) {
        return OptionMap.builder()
                .set(UndertowOptions.NO_REQUEST_TIMEOUT, (int) limits.idle().toMillis())
                .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, (int) limits.parse().toMillis())
                .set(UndertowOptions.MAX_HEADER_SIZE, limits.headBytes())
                .set(UndertowOptions.MAX_ENTITY_SIZE, MAX_ENTITY_BYTES)
                .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                .getMap();
    }

    private static ConnectionPlaces.Connection held(StreamConnection connection) {
        return new ConnectionPlaces.Connection() {
            @Override
            public boolean isOpen() {
                return connection.isOpen();
            }

            @Override
            public void close() {
                IoUtils.safeClose(connection);
            }
        };
    }

    /** Where it listens, with the port that the system chose if none was asked for. */
    HostPort address() {
        InetSocketAddress address = server.getLocalAddress(InetSocketAddress.class);
        return new HostPort(address.getAddress().getHostAddress(), address.getPort());
    }

    /** The request waits for a change: its connection is not closed for others meanwhile. */
    void keep(HttpServerExchange exchange) {
        places.keep(exchange.getConnection().getPeerAddress());
    }

    /** Stops listening and closes every connection. Idempotent: XNIO would wait for ever for threads that are gone. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        IoUtils.safeClose(server);
        worker.shutdown();
        try {
            if (!worker.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                worker.shutdownNow();
            }
        } catch (InterruptedException e) {
            worker.shutdownNow();
            Thread.currentThread().interrupt();
        }
        buffers.close();
        records.close();
    }
}
