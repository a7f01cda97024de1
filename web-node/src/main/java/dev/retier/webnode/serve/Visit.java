package dev.retier.webnode.serve;

import dev.retier.webnode.core.RequestClass;
import io.undertow.server.HttpServerExchange;
import java.util.Deque;
import java.util.Optional;

/**
 * One request on its way through the node. Used on the exchange's I/O thread.
 *
 * @param exchange Undertow's side of it
 * @param kind its class
 * @param plan the configuration it began with, and ends with
 * @param fromClient false when another node forwarded it
 * @param startNanos when it arrived
 */
record Visit(HttpServerExchange exchange, RequestClass kind, ServingPlan plan, boolean fromClient, long startNanos) {
    /** Path and query as the client wrote them: what a proxy forwards, and what names an object in its memory. */
    String target() {
        String query = exchange.getQueryString();
        return query.isEmpty() ? exchange.getRequestPath() : exchange.getRequestPath() + "?" + query;
    }

    /** The first value of a query parameter. */
    Optional<String> parameter(String name) {
        Deque<String> values = exchange.getQueryParameters().get(name);
        return values == null ? Optional.empty() : Optional.ofNullable(values.peekFirst());
    }
}
