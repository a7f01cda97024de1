package dev.retier.webnode.admin;

import dev.retier.webnode.measure.NodeStatus;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Answers {@code /status}, {@code /metrics}, {@code /livez}, {@code /readyz}. Takes nothing of the capacity. */
public final class AdminHandler implements HttpHandler {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final NodeView node;
    private final PrometheusMeterRegistry registry;

    /** Shows {@code node}, and the metrics in {@code registry}. */
    public AdminHandler(NodeView node, PrometheusMeterRegistry registry) {
        this.node = node;
        this.registry = registry;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        if (!Methods.GET.equals(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().put(Headers.ALLOW, "GET");
            send(exchange, StatusCodes.METHOD_NOT_ALLOWED, TEXT, "only GET is served here\n");
            return;
        }
        switch (exchange.getRequestPath()) {
            case "/status" ->
                send(exchange, StatusCodes.OK, "application/json", JSON.writeValueAsString(node.status()) + "\n");
            case "/metrics" -> exchange.dispatch(this::sendMetrics);
            case "/livez", "/healthz" -> send(exchange, StatusCodes.OK, TEXT, "ok\n");
            case "/readyz" -> sendReadiness(exchange);
            default -> send(exchange, StatusCodes.NOT_FOUND, TEXT, "try /status, /metrics, /livez or /readyz\n");
        }
    }

    private void sendMetrics(HttpServerExchange exchange) {
        String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
        String type = wantsOpenMetrics(accept) ? OPEN_METRICS_TYPE : PROMETHEUS_TYPE;
        send(exchange, StatusCodes.OK, type, registry.scrape(type));
    }

    private void sendReadiness(HttpServerExchange exchange) {
        Optional<String> reason = node.notReadyReason();
        int status = reason.isPresent() ? StatusCodes.SERVICE_UNAVAILABLE : StatusCodes.OK;
        String verdict = reason.map(why -> "not ready: " + why).orElse("ok") + "\n";
        boolean verbose = exchange.getQueryParameters().containsKey("verbose");
        send(exchange, status, TEXT, verbose ? details(node.status()) + verdict : verdict);
    }

    private static String details(NodeStatus status) {
        String roleFile = status.lastRefusal() == null ? "in force" : "refused: " + status.lastRefusal();
        StringBuilder text = new StringBuilder()
                .append("role " + status.role() + ", epoch " + status.appliedEpoch() + "\n")
                .append("role file " + roleFile + "\n")
                .append("accepting " + (status.closing() ? "no, closing" : "yes") + "\n");
        for (NodeStatus.Upstream upstream : status.upstreams()) {
            text.append("app " + upstream.node() + (upstream.benched() ? " benched" : " in play") + "\n");
        }
        return text.toString();
    }

    private static boolean wantsOpenMetrics(@Nullable String accept) {
        return accept != null && accept.contains(OPEN_METRICS);
    }

    private static void send(HttpServerExchange exchange, int status, String type, String body) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type).put(Headers.CACHE_CONTROL, "no-store");
        exchange.getResponseSender().send(body);
    }
}
