package dev.retier.agent.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What every process of ours answers to who watches it: {@code /metrics}, {@code /livez}, {@code /readyz}. */
final class Watched {
    private final Health health;
    private final UnaryOperator<String> scrape;

    /**
     * Of a process.
     *
     * @param scrape all its meters as text, for who accepts that type
     */
    Watched(Health health, UnaryOperator<String> scrape) {
        this.health = health;
        this.scrape = scrape;
    }

    /** Adds its paths. */
    Paths to(Paths paths) {
        return paths.read("/metrics", this::metrics)
                .read("/livez", exchange -> checks(exchange, health.liveness(), "", "not alive\n"))
                .read("/readyz", this::readiness);
    }

    private void metrics(HttpServerExchange exchange) {
        String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
        boolean isOpenMetrics = accept != null && accept.contains("application/openmetrics-text");
        String type = isOpenMetrics
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        send(exchange, StatusCodes.OK, type, scrape.apply(type));
    }

    private void readiness(HttpServerExchange exchange) {
        String fitness = health.fitness().stream()
                .map(check -> (check.isGood() ? "[+] " : "[!] ") + check.name() + ": " + check.detail() + "\n")
                .collect(Collectors.joining());
        checks(exchange, health.readiness(), fitness, "not ready\n");
    }

    /** {@code more} is told with the checks, and decides nothing. */
    private static void checks(HttpServerExchange exchange, List<Health.Check> checks, String more, String otherwise) {
        boolean isReady = checks.stream().allMatch(Health.Check::isGood);
        boolean isVerbose = exchange.getQueryParameters().containsKey("verbose") || !isReady;
        String lines = checks.stream()
                .map(check -> (check.isGood() ? "[+] " : "[-] ") + check.name() + ": " + check.detail() + "\n")
                .collect(Collectors.joining());
        String text = (isVerbose ? lines + more : "") + (isReady ? "ok\n" : otherwise);
        send(exchange, isReady ? StatusCodes.OK : StatusCodes.SERVICE_UNAVAILABLE, "text/plain", text);
    }

    /** Answers that. */
    static void send(HttpServerExchange exchange, int status, String type, String body) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
        exchange.getResponseSender().send(body);
    }
}
