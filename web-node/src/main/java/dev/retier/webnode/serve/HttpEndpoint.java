package dev.retier.webnode.serve;

import dev.retier.config.HostPort;
import dev.retier.undertow.FramedRequests;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * One listening port. Undertow's own server object cannot close the connections of one port while its worker serves
 * others, so the listener is put together here. Thread-safe.
 */
public final class HttpEndpoint {
    private static final int IDLE_TIMEOUT_MILLIS = 60_000;
    private static final int PARSE_TIMEOUT_MILLIS = 30_000;
    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final long MAX_ENTITY_BYTES = 64 << 10;
    private static final int ACCEPT_BACKLOG = 1_000;
    /** Raw paths and queries are forwarded and cached as the client wrote them, so nothing is decoded. */
    private static final OptionMap HTTP = OptionMap.builder()
            .set(UndertowOptions.DECODE_URL, false)
            .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
            .set(UndertowOptions.BUFFER_PIPELINED_DATA, true)
            .set(UndertowOptions.NO_REQUEST_TIMEOUT, IDLE_TIMEOUT_MILLIS)
            .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, PARSE_TIMEOUT_MILLIS)
            .set(UndertowOptions.MAX_HEADER_SIZE, MAX_HEADER_BYTES)
            .set(UndertowOptions.MAX_ENTITY_SIZE, MAX_ENTITY_BYTES)
            .getMap();

    private final HttpOpenListener connections;
    private final AcceptingChannel<? extends StreamConnection> server;

    private HttpEndpoint(HttpOpenListener connections, AcceptingChannel<? extends StreamConnection> server) {
        this.connections = connections;
        this.server = server;
    }

    /**
     * Listens.
     *
     * @param address where; port 0 lets the system choose
     * @param handler what answers, on I/O threads
     * @param maxConnections connections at once; beyond, new ones wait in the system's accept queue
     * @throws IOException when the name is unknown or the port is taken
     */
    public static HttpEndpoint open(
            XnioWorker worker, ByteBufferPool buffers, HostPort address, HttpHandler handler, int maxConnections)
            throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        if (resolved.isUnresolved()) {
            throw new UnknownHostException(address.host());
        }
        HttpOpenListener connections = new HttpOpenListener(buffers, HTTP);
        connections.setRootHandler(new FramedRequests(handler));
        ChannelListener<AcceptingChannel<StreamConnection>> onAccept =
                ChannelListeners.openListenerAdapter(connections);
        AcceptingChannel<? extends StreamConnection> server =
                worker.createStreamConnectionServer(resolved, onAccept, socketOptions(worker, maxConnections));
        server.resumeAccepts();
        return new HttpEndpoint(connections, server);
    }

    /** Where it listens, with the port that the system chose. */
    public InetSocketAddress address() {
        return server.getLocalAddress(InetSocketAddress.class);
    }

    /** Closes the port; connections stay. */
    public void stopAccepting() {
        IoUtils.safeClose(server);
    }

    /** Closes every connection, whatever is on it. */
    public void closeConnections() {
        connections.closeConnections();
    }

    private static OptionMap socketOptions(XnioWorker worker, int maxConnections) {
        return OptionMap.builder()
                .set(Options.WORKER_IO_THREADS, worker.getIoThreadCount())
                .set(Options.TCP_NODELAY, true)
                .set(Options.REUSE_ADDRESSES, true)
                .set(Options.BALANCING_TOKENS, 1)
                .set(Options.BALANCING_CONNECTIONS, 2)
                .set(Options.BACKLOG, ACCEPT_BACKLOG)
                .set(Options.CONNECTION_HIGH_WATER, maxConnections)
                .set(Options.CONNECTION_LOW_WATER, maxConnections)
                .getMap();
    }
}
