package dev.retier.webnode.serve;

import dev.retier.webnode.core.RequestClass;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;

/** The way in: what no web-node serves is refused, and counts as no request of the node. Runs on I/O threads. */
public final class TrafficHandler implements HttpHandler {
    private final HttpHandler node;

    /** Hands all else over to {@code node}. */
    public TrafficHandler(HttpHandler node) {
        this.node = node;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        if (RequestClass.of(exchange.getRequestPath()).isEmpty()) {
            Replies.line(exchange, StatusCodes.NOT_FOUND, "only /static/... and /dynamic/... are served here");
        } else if (!isRead(exchange)) {
            exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
            Replies.line(exchange, StatusCodes.METHOD_NOT_ALLOWED, "only GET and HEAD are served here");
        } else {
            node.handleRequest(exchange);
        }
    }

    private static boolean isRead(HttpServerExchange exchange) {
        return Methods.GET.equals(exchange.getRequestMethod()) || Methods.HEAD.equals(exchange.getRequestMethod());
    }
}
