package dev.retier.webnode.admin;

import dev.retier.undertow.status.PlainText;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import org.jspecify.annotations.Nullable;

/** Answers {@code /metrics}, and lets the node answer the rest. Takes nothing of the capacity. */
public final class AdminHandler implements HttpHandler {
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpHandler node;
    private final PrometheusMeterRegistry registry;

    /** Shows the metrics in {@code registry}, and what {@code node} does. */
    public AdminHandler(HttpHandler node, PrometheusMeterRegistry registry) {
        this.node = node;
        this.registry = registry;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        boolean isMetrics = exchange.getRequestPath().equals("/metrics");
        if (isMetrics && Methods.GET.equals(exchange.getRequestMethod())) {
            exchange.dispatch(this::sendMetrics);
        } else {
            node.handleRequest(exchange);
        }
    }

    private void sendMetrics(HttpServerExchange exchange) {
        String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
        String type = wantsOpenMetrics(accept) ? OPEN_METRICS_TYPE : PROMETHEUS_TYPE;
        PlainText.send(exchange, StatusCodes.OK, type, registry.scrape(type));
    }

    private static boolean wantsOpenMetrics(@Nullable String accept) {
        return accept != null && accept.contains(OPEN_METRICS);
    }
}
