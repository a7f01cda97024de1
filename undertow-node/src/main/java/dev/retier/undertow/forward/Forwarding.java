package dev.retier.undertow.forward;

import dev.retier.undertow.role.HopMark;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.PlainText;
import dev.retier.undertow.upstream.UpstreamPool;
import io.undertow.attribute.ExchangeAttribute;
import io.undertow.attribute.ReadOnlyAttributeException;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.proxy.ProxyHandler;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forwards every request to the least busy app, bodies and answers as streams, by Undertow's own {@link ProxyHandler}:
 * it also knows 100-continue, trailers and upgrades. Which app, which connection and how often is ours.
 */
public final class Forwarding implements ProxyRole {
    private final String node;

    /** For the node of that name. */
    public Forwarding(String node) {
        this.node = node;
    }

    @Override
    public HttpHandler handler(RoleFile file, UpstreamPool apps, @Nullable HttpHandler before) {
        // Retries are bounded by the limits of the apps; Undertow's own bound must only not be smaller.
        ProxyHandler proxy = ProxyHandler.builder()
                .setProxyClient(new AppClient(apps))
                .setMaxConnectionRetries(2 * RoleFile.MAX_APPS)
                .setReuseXForwarded(true)
                .addRequestHeader(Headers.VIA, new Via(node))
                .build();
        return exchange -> {
            exchange.addDefaultResponseListener(this::explain);
            proxy.handleRequest(exchange);
        };
    }

    /** Says why there is no answer; what an app has answered passes. */
    private boolean explain(HttpServerExchange exchange) {
        if (!exchange.isResponseChannelAvailable() || exchange.getStatusCode() != StatusCodes.SERVICE_UNAVAILABLE) {
            return false;
        }
        PlainText.send(exchange, StatusCodes.SERVICE_UNAVAILABLE, node + ": no app node answered\n");
        return true;
    }

    private record Via(String node) implements ExchangeAttribute {
        @Override
        public String readAttribute(HttpServerExchange exchange) {
            HeaderValues received = exchange.getRequestHeaders().get(Headers.VIA);
            return HopMark.add(received == null ? List.of() : received, node);
        }

        @Override
        public void writeAttribute(HttpServerExchange exchange, String newValue) throws ReadOnlyAttributeException {
            throw new ReadOnlyAttributeException("Via", newValue);
        }
    }
}
