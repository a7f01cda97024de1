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

/** The paths of a listener. What is none of them, or asked otherwise than it is answered, is told so as a problem. */
final class Paths implements HttpHandler {
    private static final Set<HttpString> READING = Set.of(Methods.GET, Methods.HEAD);
    private static final Set<HttpString> COMMANDING = Set.of(Methods.POST);

    private final List<String> all = new ArrayList<>();
    private final PathTemplateHandler known = new PathTemplateHandler(this::unknown);

    /** One more, which is read. */
    Paths read(String path, HttpHandler answers) {
        return add(path, READING, answers);
    }

    /** One more, to which commands are sent. */
    Paths command(String path, HttpHandler answers) {
        return add(path, COMMANDING, answers);
    }

    private Paths add(String path, Set<HttpString> methods, HttpHandler answers) {
        all.add(path);
        known.add(path, exchange -> {
            if (methods.contains(exchange.getRequestMethod())) {
                answers.handleRequest(exchange);
            } else {
                refuse(exchange, methods);
            }
        });
        return this;
    }

    /** All of them. */
    List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        known.handleRequest(exchange);
    }

    private static void refuse(HttpServerExchange exchange, Set<HttpString> methods) {
        boolean isRead = methods.equals(READING);
        exchange.getResponseHeaders().put(Headers.ALLOW, isRead ? "GET, HEAD" : "POST");
        new Problem(
                        StatusCodes.METHOD_NOT_ALLOWED,
                        isRead ? "this path is read alone" : "commands alone are sent to this path",
                        isRead
                                ? "use GET; commands go to /v1/commands, or by the control socket of the node"
                                : "use POST")
                .send(exchange);
    }

    /** Refuses what asks otherwise for something that is read alone. */
    static void refuseAllButReads(HttpServerExchange exchange) {
        refuse(exchange, READING);
    }

    private void unknown(HttpServerExchange exchange) {
        new Problem(StatusCodes.NOT_FOUND, "there is no such path", "ask for one of " + String.join(", ", all))
                .send(exchange);
    }
}
