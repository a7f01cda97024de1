package dev.retier.undertow;

import dev.retier.undertow.role.HopMark;
import dev.retier.undertow.role.LetGo;
import dev.retier.undertow.status.InFlight;
import dev.retier.undertow.status.NodeCounters;
import dev.retier.undertow.status.NodeHeaders;
import dev.retier.undertow.status.PlainText;
import dev.retier.undertow.status.Tally;
import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The way in: marks, admits, counts, and hands over to what serves the role. Whatever follows it may block, dispatch,
 * upgrade or hold the exchange open; a request is in the node until its exchange is complete.
 */
final class NodeHandler implements HttpHandler {
    /** Of a connection: the round of its newest request. */
    private static final AttachmentKey<Long> ASKED_IN_ROUND = AttachmentKey.create(Long.class);

    private static final int WHOLE = 100;

    private final UndertowNode node;
    private final InFlight inFlight;
    private final NodeCounters counters;
    private final HttpHandler app;

    NodeHandler(UndertowNode node, InFlight inFlight, NodeCounters counters, HttpHandler app) {
        this.node = node;
        this.inFlight = inFlight;
        this.counters = counters;
        this.app = app;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        Plan plan = node.plan();
        exchange.getResponseHeaders()
                .put(NodeHeaders.NODE, node.name())
                .put(NodeHeaders.EPOCH, plan.file().epoch());
        if (inFlight.isClosing()) {
            exchange.setPersistent(false);
        }
        HeaderValues via = exchange.getRequestHeaders().get(Headers.VIA);
        boolean fromClient = via == null
                || !HopMark.isForwarded(via)
                || !plan.nodes().has(exchange.getConnection().getPeerAddress());
        String name = node.classOf(exchange);
        if (!inFlight.tryEnter(fromClient)) {
            refuse(exchange);
            return;
        }
        count(exchange, name, fromClient);
        letGo(exchange, plan.file().letGo());
        // A request that was forwarded once is answered here whatever the role is, so that no loop can arise. One whose
        // mark is not believed, as any client can write it, is a client's; proxies behind an address that the file does
        // not know could send it in circles, so there is an end to that, too.
        if (fromClient && via != null && HopMark.isLoop(via)) {
            counters.add(Tally.ERRORS);
            PlainText.send(exchange, StatusCodes.LOOP_DETECTED, node.name() + " forwards no further: see Via\n");
            return;
        }
        HttpHandler proxy = plan.proxy();
        (proxy != null && fromClient ? proxy : app).handleRequest(exchange);
    }

    private void refuse(HttpServerExchange exchange) {
        counters.add(Tally.REJECTED);
        counters.add(Tally.ERRORS);
        exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
        PlainText.send(exchange, StatusCodes.SERVICE_UNAVAILABLE, node.name() + " has all it can take; try again\n");
    }

    /** The answer to this request says that the connection ends with it (RFC 9112 section 9.6). */
    private void letGo(HttpServerExchange exchange, LetGo letGo) {
        Long asked = exchange.getConnection().putAttachment(ASKED_IN_ROUND, letGo.round());
        boolean isAsked = asked != null && asked != letGo.round() && exchange.isPersistent();
        if (isAsked && ThreadLocalRandom.current().nextInt(WHOLE) < letGo.percent()) {
            exchange.setPersistent(false);
            counters.add(Tally.LET_GO);
        }
    }

    /** It leaves when its exchange ends, whatever happens from here on. */
    private void count(HttpServerExchange exchange, String name, boolean fromClient) {
        exchange.addExchangeCompleteListener((ended, next) -> leave(ended, name, fromClient, next));
        node.servedBy(exchange.getConnection().getWorker());
        counters.started(name, fromClient, System.nanoTime());
    }

    private void leave(HttpServerExchange ended, String name, boolean fromClient, NextListener next) {
        try {
            counters.ended(name, ended.getStatusCode(), System.nanoTime());
        } finally {
            inFlight.leave(fromClient);
            next.proceed();
        }
    }
}
