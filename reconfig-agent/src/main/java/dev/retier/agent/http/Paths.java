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

    private final List<String> all = new ArrayList<>();
    private final PathTemplateHandler known = new PathTemplateHandler(this::unknown);

    /** One more, which is read. */
    Paths read(String path, HttpHandler answers) {
        return add(path, answers, Paths::refuseAllButReads);
    }

    /** One more, which is read, and to which commands are sent. */
    Paths readAndCommand(String path, HttpHandler answers, HttpHandler commands) {
        HttpHandler others = exchange -> refuse(
                exchange, "GET, HEAD, POST", "this path is read, and commands are sent to it", "use GET or POST");
        return add(path, answers, exchange -> {
            boolean isCommand = exchange.getRequestMethod().equals(Methods.POST);
            (isCommand ? commands : others).handleRequest(exchange);
        });
    }

    private Paths add(String path, HttpHandler answers, HttpHandler others) {
        all.add(path);
        known.add(path, exchange -> {
            boolean isRead = READING.contains(exchange.getRequestMethod());
            (isRead ? answers : others).handleRequest(exchange);
        });
        return this;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        known.handleRequest(exchange);
    }

    private static void refuse(HttpServerExchange exchange, String allowed, String detail, String remedy) {
        exchange.getResponseHeaders().put(Headers.ALLOW, allowed);
        new Problem(StatusCodes.METHOD_NOT_ALLOWED, detail, remedy).send(exchange);
    }

    /** Refuses what asks otherwise for something that is read alone. */
    static void refuseAllButReads(HttpServerExchange exchange) {
        refuse(
                exchange,
                "GET, HEAD",
                "this path is read alone",
                "use GET; commands go to /v1/commands, or by the control socket of the node");
    }

    private void unknown(HttpServerExchange exchange) {
        new Problem(StatusCodes.NOT_FOUND, "there is no such path", "ask for one of " + String.join(", ", all))
                .send(exchange);
    }
}
