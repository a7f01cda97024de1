package dev.retier.undertow.status;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

/** Answers of the node itself. Stateless. */
public final class PlainText {
    private static final String TYPE = "text/plain; charset=utf-8";

    private PlainText() {}

    /** Answers with {@code text}, which no cache keeps. */
    public static void send(HttpServerExchange exchange, int status, String text) {
        send(exchange, status, TYPE, text);
    }

    /** The same of another type. */
    public static void send(HttpServerExchange exchange, int status, String type, String text) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type).put(Headers.CACHE_CONTROL, "no-store");
        exchange.getResponseSender().send(text);
    }
}
