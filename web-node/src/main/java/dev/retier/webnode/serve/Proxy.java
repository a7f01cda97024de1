package dev.retier.webnode.serve;

import dev.retier.undertow.role.HopMark;
import dev.retier.undertow.status.NodeHeaders;
import dev.retier.undertow.status.Tally;
import dev.retier.undertow.upstream.UpstreamPool;
import dev.retier.webnode.core.Answer;
import dev.retier.webnode.upstream.Fetch;
import dev.retier.webnode.upstream.FetchOutcome;
import dev.retier.webnode.upstream.UpstreamRequest;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A proxy's work: static requests from memory, the rest from the app nodes. Thread-safe. */
final class Proxy implements HttpHandler {
    private static final String HIT = "hit";
    private static final String MISS = "miss";
    private static final String FORWARD = "forward";

    private final ProxyDuty duty;
    private final @Nullable String site;
    private final UpstreamPool apps;
    private final StaticStore store;

    Proxy(ProxyDuty duty, @Nullable String site, UpstreamPool apps, StaticStore store) {
        this.duty = duty;
        this.site = site;
        this.apps = apps;
        this.store = store;
    }

    boolean serves(@Nullable String other) {
        return Objects.equals(site, other);
    }

    StaticStore store() {
        return store;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        Visit.begin(exchange, duty.durations(), this::serve);
    }

    private void serve(Visit visit) {
        switch (visit.kind()) {
            case STATIC -> serveFile(visit);
            case DYNAMIC -> forward(visit, outcome -> send(visit, outcome, FORWARD));
        }
    }

    private void serveFile(Visit visit) {
        String key = visit.target();
        switch (store.lookup(key, System.nanoTime())) {
            case StaticStore.Lookup.Hit(Answer answer) -> hit(visit, () -> sendKept(visit, answer));
            case StaticStore.Lookup.Join(var fetch) -> hit(visit, () -> sendWhenFetched(visit, fetch));
            case StaticStore.Lookup.Lead lead -> {
                visit.exchange().addExchangeCompleteListener((_, next) -> {
                    store.isOver(lead);
                    next.proceed();
                });
                duty.cacheCounters().miss();
                forward(visit, outcome -> {
                    store.fetched(lead, outcome, System.nanoTime());
                    send(visit, outcome, MISS);
                });
            }
        }
    }

    private void hit(Visit visit, Runnable next) {
        duty.cacheCounters().hit();
        after(visit, duty.settings().costs().staticHit(), next);
    }

    private void sendKept(Visit visit, Answer answer) {
        visit.exchange().getResponseHeaders().put(Replies.CACHE, HIT);
        Replies.send(visit.exchange(), answer);
    }

    private void sendWhenFetched(Visit visit, CompletableFuture<FetchOutcome> fetch) {
        CompletableFuture<Void> _ = fetch.thenAccept(outcome -> onIoThread(visit, () -> send(visit, outcome, HIT)));
    }

    private void forward(Visit visit, Consumer<FetchOutcome> whenDone) {
        apps.counters().add(Tally.FORWARDED);
        UpstreamRequest request = request(visit);
        after(
                visit,
                duty.settings().costs().forward(),
                () -> Fetch.begin(
                        apps,
                        visit.exchange(),
                        request,
                        outcome -> Guard.of(visit.exchange(), () -> whenDone.accept(outcome))
                                .run()));
    }

    private UpstreamRequest request(Visit visit) {
        HttpServerExchange exchange = visit.exchange();
        HeaderValues via = exchange.getRequestHeaders().get(Headers.VIA);
        return new UpstreamRequest(
                visit.target(),
                exchange.getHostAndPort(),
                HopMark.add(via == null ? List.of() : via, duty.settings().node()),
                exchange.getSourceAddress().getHostString());
    }

    private void send(Visit visit, FetchOutcome outcome, String how) {
        switch (outcome) {
            case FetchOutcome.Answered(Answer answer, String node) -> {
                visit.exchange().getResponseHeaders().put(Replies.CACHE, how).put(NodeHeaders.APP, node);
                Replies.send(visit.exchange(), answer);
            }
            case FetchOutcome.Unanswered(String reason) ->
                Replies.line(
                        visit.exchange(),
                        StatusCodes.BAD_GATEWAY,
                        duty.settings().node() + ": " + reason);
        }
    }

    private void after(Visit visit, double units, Runnable next) {
        duty.workLine().after(visit.exchange().getIoThread(), units, Guard.of(visit.exchange(), next));
    }

    private static void onIoThread(Visit visit, Runnable step) {
        visit.exchange().getIoThread().execute(Guard.of(visit.exchange(), step));
    }
}
