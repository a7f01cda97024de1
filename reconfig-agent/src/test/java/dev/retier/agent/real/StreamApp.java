package dev.retier.agent.real;

import dev.retier.agent.config.ServerConfig;
import dev.retier.config.HostPort;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.sse.ServerSentEventHandler;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** An application that holds WebSockets, at {@code /live/echo}, and event streams, at {@code /live/events}. */
final class StreamApp implements AutoCloseable {
    private final ServerSentEventHandler events = Handlers.serverSentEvents();
    /** As nginx wants it of an event stream. */
    private final HttpHandler unbuffered = Handlers.header(events, "X-Accel-Buffering", "no");

    private final Undertow server = Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(1)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(Handlers.path()
                    .addExactPath("/live/events", unbuffered)
                    .addExactPath("/live/echo", Handlers.websocket((_, channel) -> {
                        channel.getReceiveSetter().set(new Echo());
                        channel.resumeReceives();
                    })))
            .build();

    private static final class Echo extends AbstractReceiveListener {
        @Override
        protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
            WebSockets.sendText("echo of " + message.getData(), channel, null);
        }
    }

    static StreamApp start() {
        StreamApp app = new StreamApp();
        app.server.start();
        return app;
    }

    /** To all who listen to the events. */
    void tell(String event) {
        events.getConnections().forEach(connection -> connection.send(event));
    }

    /** How many listen to the events. */
    int listeners() {
        return events.getConnections().size();
    }

    HostPort address() {
        InetSocketAddress bound =
                (InetSocketAddress) server.getListenerInfo().getFirst().getAddress();
        return new HostPort("127.0.0.1", bound.getPort());
    }

    /** As a node of a cluster. */
    ServerConfig server() {
        return ServerConfig.webNode(
                address(), address(), Path.of("/nonexistent/" + address().port()));
    }

    @Override
    public void close() {
        server.stop();
    }
}
