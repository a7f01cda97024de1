package dev.retier.webnode.serve;

import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.Durations;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.SameThreadExecutor;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request on its way through the node. Used on the exchange's I/O thread.
 *
 * @param exchange Undertow's side of it
 * @param kind its class
 */
record Visit(HttpServerExchange exchange, RequestClass kind) {
    /** Serves a request that the node has let in, and counts how long it takes. */
    static void begin(HttpServerExchange exchange, Durations durations, Consumer<Visit> serve) {
        long startNanos = System.nanoTime();
        Visit visit =
                new Visit(exchange, RequestClass.of(exchange.getRequestPath()).orElseThrow());
        exchange.addExchangeCompleteListener((_, next) -> {
            try {
                durations.record(visit.kind, System.nanoTime() - startNanos);
            } finally {
                next.proceed();
            }
        });
        exchange.dispatch(SameThreadExecutor.INSTANCE, Guard.of(exchange, () -> serve.accept(visit)));
    }

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
