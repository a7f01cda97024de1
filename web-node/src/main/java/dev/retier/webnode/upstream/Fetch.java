package dev.retier.webnode.upstream;

import dev.retier.undertow.upstream.Route;
import dev.retier.undertow.upstream.Upstream;
import dev.retier.undertow.upstream.UpstreamPool;
import dev.retier.webnode.core.Answer;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One forwarded request whose answer is read whole, as its proxy keeps it, through as many apps as it takes and the
 * limits allow ({@link Route}); an app that says it is too busy is left alone. All requests are GET, so a repeat does
 * no harm (RFC 9110 section 9.2.2). Lives on one I/O thread.
 */
public final class Fetch {
    private final XnioIoThread thread;
    private final ByteBufferPool buffers;
    private final Route route;
    private final UpstreamRequest request;
    private final Consumer<FetchOutcome> whenDone;
    private FetchOutcome.@Nullable Answered busy;
    private String lastReason = "there is none";

    private Fetch(
            UpstreamPool apps, HttpServerExchange exchange, UpstreamRequest request, Consumer<FetchOutcome> whenDone) {
        this.thread = exchange.getIoThread();
        this.buffers = exchange.getConnection().getByteBufferPool();
        this.route = new Route(apps, thread);
        this.request = request;
        this.whenDone = whenDone;
    }

    /**
     * Sends {@code request} to the least busy app, and to others when it fails.
     *
     * @param exchange for which it is; called on its I/O thread, as is {@code whenDone}, exactly once
     */
    public static void begin(
            UpstreamPool apps, HttpServerExchange exchange, UpstreamRequest request, Consumer<FetchOutcome> whenDone) {
        Fetch fetch = new Fetch(apps, exchange, request, whenDone);
        fetch.go(fetch.route.next());
    }

    private void go(@Nullable Upstream app) {
        if (app == null) {
            giveUp();
        } else {
            new Attempt(app, thread, buffers, request, end -> ended(app, end)).start(route.freshOnly());
        }
    }

    private void ended(Upstream app, Attempt.End end) {
        switch (end) {
            case Attempt.End.Answered(Answer answer) -> answered(app, answer);
            case Attempt.End.Broken(String reason, boolean reused) -> {
                lastReason = app.node() + ": " + reason;
                go(route.after(app, reused));
            }
        }
    }

    private void answered(Upstream app, Answer answer) {
        FetchOutcome.Answered outcome = new FetchOutcome.Answered(answer, app.node());
        if (answer.status() == StatusCodes.SERVICE_UNAVAILABLE) {
            busy = outcome;
            go(route.next());
        } else {
            whenDone.accept(outcome);
        }
    }

    private void giveUp() {
        whenDone.accept(
                busy != null
                        ? busy
                        : new FetchOutcome.Unanswered(
                                "no app node answered (" + route.tried() + " tried, last " + lastReason + ")"));
    }
}
