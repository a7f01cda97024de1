package dev.retier.undertow;

import dev.retier.config.RequestFraming;
import dev.retier.undertow.status.PlainText;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.Protocols;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests whose end is doubtful ({@link RequestFraming}) and closes their connection, before anything else
 * sees them; an {@link UndertowNode} does it for all that come its way. Thread-safe.
 */
public final class FramedRequests implements HttpHandler {
    private final HttpHandler next;

    /** Hands all others over to {@code next}. */
    public FramedRequests(HttpHandler next) {
        this.next = next;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        Optional<RequestFraming.Refusal> refusal = refusal(exchange);
        if (refusal.isEmpty()) {
            next.handleRequest(exchange);
            return;
        }
        exchange.setPersistent(false);
        PlainText.send(exchange, refusal.get().status(), refusal.get().reason() + "\n");
    }

    private static Optional<RequestFraming.Refusal> refusal(HttpServerExchange exchange) {
        HeaderMap fields = exchange.getRequestHeaders();
        HeaderValues codings = fields.get(Headers.TRANSFER_ENCODING);
        HeaderValues lengths = fields.get(Headers.CONTENT_LENGTH);
        if (codings == null && lengths == null) {
            return Optional.empty();
        }
        boolean isOld = exchange.getProtocol().equals(Protocols.HTTP_1_0)
                || exchange.getProtocol().equals(Protocols.HTTP_0_9);
        return RequestFraming.refusal(isOld, orNone(codings), orNone(lengths));
    }

    private static List<String> orNone(@Nullable HeaderValues values) {
        return values == null ? List.of() : values;
    }
}
