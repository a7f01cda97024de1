package dev.retier.agent.http;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.PathTemplateHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The paths of a listener that are read. What is none of them, or is to be changed, is told so as a problem. */
final class Reads implements HttpHandler {
    private static final Set<HttpString> METHODS = Set.of(Methods.GET, Methods.HEAD);

    private final List<String> paths = new ArrayList<>();
    private final PathTemplateHandler known = new PathTemplateHandler(this::unknown);

    /** One more. */
    Reads add(String path, HttpHandler answers) {
        paths.add(path);
        known.add(path, answers);
        return this;
    }

    /** All of them. */
    List<String> paths() {
        return List.copyOf(paths);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        if (METHODS.contains(exchange.getRequestMethod())) {
            known.handleRequest(exchange);
            return;
        }
        exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
        new Problem(
                        StatusCodes.METHOD_NOT_ALLOWED,
                        "all paths here are read",
                        "use GET; commands go by the control socket of the node (retier move, drain, pause, ...)")
                .send(exchange);
    }

    private void unknown(HttpServerExchange exchange) {
        new Problem(StatusCodes.NOT_FOUND, "there is no such path", "ask for one of " + String.join(", ", paths))
                .send(exchange);
    }
}
