package dev.retier.webnode.serve;

import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.Answer;
import dev.retier.webnode.core.HopMark;
import dev.retier.webnode.measure.NodeCounters;
import dev.retier.webnode.measure.Tally;
import dev.retier.webnode.upstream.FetchOutcome;
import dev.retier.webnode.upstream.UpstreamRequest;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A proxy's work: static requests from memory, the rest from the app nodes. Thread-safe. */
final class Proxy {
    private static final String HIT = "hit";
    private static final String MISS = "miss";
    private static final String FORWARD = "forward";

    private final WebNodeSettings settings;
    private final WorkLine workLine;
    private final NodeCounters counters;

    Proxy(WebNodeSettings settings, WorkLine workLine, NodeCounters counters) {
        this.settings = settings;
        this.workLine = workLine;
        this.counters = counters;
    }

    void serve(Visit visit) {
        switch (visit.kind()) {
            case STATIC -> serveFile(visit);
            case DYNAMIC -> forward(visit, outcome -> send(visit, outcome, FORWARD));
        }
    }

    private void serveFile(Visit visit) {
        String key = visit.target();
        StaticStore store = visit.plan().store();
        switch (store.lookup(key, System.nanoTime())) {
            case StaticStore.Lookup.Hit(Answer answer) -> hit(visit, () -> sendKept(visit, answer));
            case StaticStore.Lookup.Join(var fetch) -> hit(visit, () -> sendWhenFetched(visit, fetch));
            case StaticStore.Lookup.Lead lead -> {
                visit.exchange().addExchangeCompleteListener((_, next) -> {
                    store.isOver(lead);
                    next.proceed();
                });
                counters.add(Tally.CACHE_MISSES);
                forward(visit, outcome -> {
                    store.fetched(lead, outcome, System.nanoTime());
                    send(visit, outcome, MISS);
                });
            }
        }
    }

    private void hit(Visit visit, Runnable next) {
        counters.add(Tally.CACHE_HITS);
        after(visit, settings.costs().staticHit(), next);
    }

    private void sendKept(Visit visit, Answer answer) {
        visit.exchange().getResponseHeaders().put(Replies.CACHE, HIT);
        Replies.send(visit.exchange(), answer);
    }

    private void sendWhenFetched(Visit visit, CompletableFuture<FetchOutcome> fetch) {
        CompletableFuture<Void> _ = fetch.thenAccept(outcome -> onIoThread(visit, () -> send(visit, outcome, HIT)));
    }

    private void forward(Visit visit, Consumer<FetchOutcome> whenDone) {
        counters.add(Tally.FORWARDED);
        UpstreamRequest request = request(visit);
        after(
                visit,
                settings.costs().forward(),
                () -> visit.plan()
                        .upstreams()
                        .fetch(
                                visit.exchange().getIoThread(),
                                request,
                                outcome -> Guard.of(visit.exchange(), () -> whenDone.accept(outcome))
                                        .run()));
    }

    private UpstreamRequest request(Visit visit) {
        HttpServerExchange exchange = visit.exchange();
        return new UpstreamRequest(
                visit.target(),
                exchange.getHostAndPort(),
                HopMark.add(exchange.getRequestHeaders().getFirst(Headers.VIA), settings.node()),
                exchange.getSourceAddress().getHostString());
    }

    private void send(Visit visit, FetchOutcome outcome, String how) {
        switch (outcome) {
            case FetchOutcome.Answered(Answer answer, String node) -> {
                visit.exchange().getResponseHeaders().put(Replies.CACHE, how).put(Replies.APP, node);
                Replies.send(visit.exchange(), answer);
            }
            case FetchOutcome.Unanswered(String reason) ->
                Replies.line(visit.exchange(), StatusCodes.BAD_GATEWAY, settings.node() + ": " + reason);
        }
    }

    private void after(Visit visit, double units, Runnable next) {
        workLine.after(visit.exchange().getIoThread(), units, Guard.of(visit.exchange(), next));
    }

    private static void onIoThread(Visit visit, Runnable step) {
        visit.exchange().getIoThread().execute(Guard.of(visit.exchange(), step));
    }
}
