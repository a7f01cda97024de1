package dev.retier.webnode.serve;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The top of every continuation: an unexpected failure ends its own exchange, and nothing else. */
final class Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    private Guard() {}

    static Runnable of(HttpServerExchange exchange, Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                LOG.error("request {} failed in the node itself", exchange.getRequestPath(), e);
                if (!exchange.isResponseStarted()) {
                    exchange.setStatusCode(StatusCodes.INTERNAL_SERVER_ERROR);
                }
                exchange.endExchange();
            }
        };
    }
}
