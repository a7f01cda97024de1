package dev.retier.webnode.serve;

import dev.retier.webnode.config.LetGo;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.HopMark;
import dev.retier.webnode.core.RequestClass;
import dev.retier.webnode.measure.InFlight;
import dev.retier.webnode.measure.NodeCounters;
import dev.retier.webnode.measure.Tally;
import io.undertow.server.ExchangeCompletionListener.NextListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.StatusCodes;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** The way in: tells classes apart, admits, counts, and hands over to origin or proxy. Runs on I/O threads. */
public final class TrafficHandler implements HttpHandler {
    /** Of a connection: the round of its newest request. */
    private static final AttachmentKey<Long> ASKED_IN_ROUND = AttachmentKey.create(Long.class);

    private static final int WHOLE = 100;

    private final WebNodeSettings settings;
    private final Supplier<ServingPlan> plan;
    private final InFlight inFlight;
    private final NodeCounters counters;
    private final Origin origin;
    private final Proxy proxy;

    /**
     * Serves by whatever {@code plan} gives at the moment a request arrives.
     *
     * @param workLine the emulated server of the node
     */
    public TrafficHandler(
            WebNodeSettings settings,
            Supplier<ServingPlan> plan,
            WorkLine workLine,
            InFlight inFlight,
            NodeCounters counters) {
        this.settings = settings;
        this.plan = plan;
        this.inFlight = inFlight;
        this.counters = counters;
        this.origin = new Origin(settings, workLine);
        this.proxy = new Proxy(settings, workLine, counters);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        ServingPlan current = plan.get();
        exchange.getResponseHeaders()
                .put(Replies.NODE, settings.node())
                .put(Replies.EPOCH, current.file().epoch());
        if (inFlight.isClosing()) {
            exchange.setPersistent(false);
        }
        Optional<RequestClass> kind = RequestClass.of(exchange.getRequestPath());
        if (kind.isEmpty()) {
            Replies.line(exchange, StatusCodes.NOT_FOUND, "only /static/... and /dynamic/... are served here");
        } else if (!isRead(exchange)) {
            exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
            Replies.line(exchange, StatusCodes.METHOD_NOT_ALLOWED, "only GET and HEAD are served here");
        } else {
            admit(exchange, kind.get(), current);
        }
    }

    private void admit(HttpServerExchange exchange, RequestClass kind, ServingPlan current) {
        boolean fromClient = !HopMark.isForwarded(exchange.getRequestHeaders().getFirst(Headers.VIA));
        if (!inFlight.tryEnter(fromClient)) {
            counters.add(Tally.REJECTED);
            counters.add(Tally.ERRORS);
            Replies.busy(exchange, settings.node() + " has all it can take; try again");
            return;
        }
        letGo(exchange, current.file().letGo());
        Visit visit = new Visit(exchange, kind, current, fromClient, System.nanoTime());
        counters.started(kind, fromClient, visit.startNanos());
        exchange.addExchangeCompleteListener((ended, next) -> leave(visit, next));
        Runnable serve = () -> serve(visit);
        exchange.dispatch(SameThreadExecutor.INSTANCE, Guard.of(exchange, serve));
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

    /** A request that was forwarded once is answered here whatever the role is, so that no loop can arise. */
    private void serve(Visit visit) {
        if (visit.plan().isProxy() && visit.fromClient()) {
            proxy.serve(visit);
        } else {
            origin.serve(visit);
        }
    }

    private void leave(Visit visit, NextListener next) {
        try {
            counters.ended(visit.kind(), visit.exchange().getStatusCode(), visit.startNanos(), System.nanoTime());
        } finally {
            inFlight.leave(visit.fromClient());
            next.proceed();
        }
    }

    private static boolean isRead(HttpServerExchange exchange) {
        return Methods.GET.equals(exchange.getRequestMethod()) || Methods.HEAD.equals(exchange.getRequestMethod());
    }
}
