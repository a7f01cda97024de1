package dev.retier.undertow.programs;

import dev.retier.undertow.UndertowNode;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.Headers;
import io.undertow.websockets.WebSocketProtocolHandshakeHandler;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import io.undertow.websockets.spi.WebSocketHttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Undertow and handlers, with HTTP/2, and more pages: {@code /events} and {@code /echo}. */
final class PlainProgram implements Program {
    private final Undertow server;

    PlainProgram(String name, UndertowNode node) {
        HttpHandler app = new PathHandler()
                .addExactPath("/hello", exchange -> exchange.getResponseSender().send("hello from " + name))
                .addExactPath("/length", new BlockingHandler(PlainProgram::length))
                .addExactPath("/wait", new BlockingHandler(exchange -> {
                    Gate.pass();
                    exchange.getResponseSender().send("waited on " + name);
                }))
                .addExactPath("/lines", new BlockingHandler(PlainProgram::lines))
                .addExactPath("/events", new BlockingHandler(PlainProgram::events))
                .addExactPath("/echo", new WebSocketProtocolHandshakeHandler(PlainProgram::echo));
        server = Undertow.builder()
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MAX_UPLOAD_BYTES)
                .addHttpListener(0, "127.0.0.1", node.wrap(app))
                .addHttpListener(0, "127.0.0.1", node.admin())
                .build();
        server.start();
    }

    private static void length(HttpServerExchange exchange) throws IOException {
        long bytes = exchange.getInputStream().transferTo(OutputStream.nullOutputStream());
        exchange.getResponseSender().send("bytes " + bytes);
    }

    private static void lines(HttpServerExchange exchange) throws IOException {
        OutputStream out = exchange.getOutputStream();
        for (int line = 0; line < LINES; line++) {
            out.write(LINE.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** The head goes at once, the first event when the gate opens. */
    private static void events(HttpServerExchange exchange) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/event-stream");
        exchange.getOutputStream().flush();
        Gate.pass();
        exchange.getOutputStream().write("data: at last\n\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static void echo(WebSocketHttpExchange exchange, WebSocketChannel channel) {
        channel.getReceiveSetter().set(new AbstractReceiveListener() {
            @Override
            protected void onFullTextMessage(WebSocketChannel from, BufferedTextMessage message) {
                WebSockets.sendText("echo " + message.getData(), from, null);
            }
        });
        channel.resumeReceives();
    }

    @Override
    public int port() {
        return Program.port(server, 0);
    }

    @Override
    public int adminPort() {
        return Program.port(server, 1);
    }

    @Override
    public void close() {
        server.stop();
    }
}
