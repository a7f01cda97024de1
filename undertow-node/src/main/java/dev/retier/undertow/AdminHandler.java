package dev.retier.undertow;

import dev.retier.undertow.status.NodeStatus;
import dev.retier.undertow.status.PlainText;
import dev.retier.undertow.status.StatusPage;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.util.Optional;

/** Answers {@code /status}, {@code /livez}, {@code /readyz}; none of it counts as a request of the node. */
final class AdminHandler implements HttpHandler {
    private final UndertowNode node;

    AdminHandler(UndertowNode node) {
        this.node = node;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        if (!Methods.GET.equals(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().put(Headers.ALLOW, "GET");
            PlainText.send(exchange, StatusCodes.METHOD_NOT_ALLOWED, "only GET is served here\n");
            return;
        }
        switch (exchange.getRelativePath()) {
            case "/status" ->
                PlainText.send(exchange, StatusCodes.OK, "application/json", StatusPage.of(node.status()));
            case "/livez", "/healthz" -> PlainText.send(exchange, StatusCodes.OK, "ok\n");
            case "/readyz" -> sendReadiness(exchange);
            default -> PlainText.send(exchange, StatusCodes.NOT_FOUND, "try /status, /livez or /readyz\n");
        }
    }

    private void sendReadiness(HttpServerExchange exchange) {
        Optional<String> reason = node.notReadyReason();
        int status = reason.isPresent() ? StatusCodes.SERVICE_UNAVAILABLE : StatusCodes.OK;
        String verdict = reason.map(why -> "not ready: " + why).orElse("ok") + "\n";
        boolean verbose = exchange.getQueryParameters().containsKey("verbose");
        PlainText.send(exchange, status, verbose ? details(node.status()) + verdict : verdict);
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
}
