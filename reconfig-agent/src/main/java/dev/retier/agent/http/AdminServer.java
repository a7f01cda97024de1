package dev.retier.agent.http;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.TargetList;
import dev.retier.config.HostPort;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.PathTemplateMatch;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the admin API over HTTP, as {@code docs/api/openapi.yaml} describes it, and the page that shows it. Reads, but
 * for the words of edges. A target list may be waited for with {@code If-None-Match} and {@code Prefer: wait=N} (RFC
 * 7240, section 4.3); after N seconds without a change the answer is 304. Who asks may be an edge and say what it runs
 * ({@link EdgeWord}). Connections, their idle time and the size of a head are bounded; slow clients keep nobody else
 * out.
 */
public final class AdminServer implements AutoCloseable {
    private static final HttpString EDGE = new HttpString(EdgeWord.HEADER);
    private static final Pattern EPOCH = Pattern.compile("-1|[0-9]{1,18}");
    private static final String MOST_MOVES = "1000";
    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,2}|" + MOST_MOVES);
    private static final String JSON = "application/json";
    private static final int ANSWER_SECONDS = 2;

    private final AdminEndpoint endpoint;
    private final TargetBoard board;
    private final AdminApi api;
    private final EventStream events;
    private final ExecutorService waiters;
    /** Of requests that wait, and of streams; beyond, the former are answered at once, the latter refused. */
    private final Semaphore places;

    /** Where, how, and for whom. */
    record Listen(HostPort address, AdminLimits limits, AdminAccess access) {}

    private AdminServer(Listen listen, TargetBoard board, AdminApi api, AgentMetrics metrics) throws IOException {
        this.board = board;
        this.api = api;
        this.places = new Semaphore(listen.limits().waiting());
        this.waiters = Executors.newThreadPerTaskExecutor(Thread.ofVirtual()
                .name("retier-wait-" + listen.access().node() + "-", 0)
                .factory());
        this.events = new EventStream(listen.access().node(), api.events(), api::statusJson, keeping());
        Paths paths = new Paths();
        AdminAccess access = listen.access();
        Commands commands = new Commands(api, waiters);
        Consumer<HttpServerExchange> notOperator = exchange -> RoleCheck.refuseCommand(access, exchange);
        new Watched(api, metrics::scrape)
                .to(paths)
                .read("/v1/targets/{site}", this::targets)
                .read("/v1/status", exchange -> Watched.send(exchange, StatusCodes.OK, JSON, api.statusJson()))
                .read("/v1/explain", exchange -> Watched.send(exchange, StatusCodes.OK, JSON, api.explainJson()))
                .read("/v1/config", exchange -> Watched.send(exchange, StatusCodes.OK, JSON, api.configJson()))
                .read("/v1/moves", this::moves)
                .read("/v1/events", events)
                .readAndCommand(
                        "/v1/commands",
                        exchange -> Watched.send(exchange, StatusCodes.OK, JSON, api.commandsJson()),
                        RoleCheck.forOperators(commands::post, commands.tried(access, notOperator)))
                .read("/v1/commands/{key}", commands::get)
                .read("/v1/caller", RoleCheck::tell)
                .read("/v1/version", OpenApi::version)
                .read("/v1/openapi.yaml", OpenApi::description);
        this.endpoint = new AdminEndpoint(
                listen.address(),
                listen.limits(),
                listen.access().tls(),
                new Dashboard(new RoleCheck(listen.access(), paths)));
    }

    /**
     * Listens at {@code listen}.
     *
     * @param access who may ask what, and how connections are encrypted
     * @throws ReconfigException when the address cannot be listened at
     */
    public static AdminServer start(
            HostPort listen, AdminAccess access, TargetBoard board, AdminApi api, AgentMetrics metrics) {
        return start(new Listen(listen, AdminLimits.usual(), access), board, api, metrics);
    }

    static AdminServer start(Listen listen, TargetBoard board, AdminApi api, AgentMetrics metrics) {
        try {
            AdminServer server = new AdminServer(listen, board, api, metrics);
            server.events.start();
            server.endpoint.start();
            return server;
        } catch (IOException | RuntimeException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "agent of " + listen.access().node() + " cannot listen at " + listen.address()
                            + "; free that port or change the key agent",
                    e);
        }
    }

    /** Where it listens, with the port that the system chose if none was asked for. */
    public HostPort address() {
        return endpoint.address();
    }

    private EventStream.Keeping keeping() {
        return new EventStream.Keeping() {
            @Override
            public boolean take(HttpServerExchange exchange) {
                boolean hasPlace = places.tryAcquire();
                if (hasPlace) {
                    endpoint.keep(exchange);
                }
                return hasPlace;
            }

            @Override
            public void giveBack() {
                places.release();
            }
        };
    }

    private void moves(HttpServerExchange exchange) {
        String since = first(exchange.getQueryParameters().get("since"), "-1");
        String limit = first(exchange.getQueryParameters().get("limit"), MOST_MOVES);
        if (!EPOCH.matcher(since).matches()) {
            new Problem(StatusCodes.BAD_REQUEST, "since is no epoch", "give a whole number, such as since=12")
                    .send(exchange);
            return;
        }
        if (!LIMIT.matcher(limit).matches()) {
            new Problem(StatusCodes.BAD_REQUEST, "limit is no number of moves", "give 1 to " + MOST_MOVES)
                    .send(exchange);
            return;
        }
        Watched.send(exchange, StatusCodes.OK, JSON, api.movesJson(Long.parseLong(since), Integer.parseInt(limit)));
    }

    private static String first(@Nullable Deque<String> values, String otherwise) {
        String value = values == null ? null : values.peekFirst();
        return value == null ? otherwise : value;
    }

    private void targets(HttpServerExchange exchange) {
        String site = exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY)
                .getParameters()
                .getOrDefault("site", "");
        HeaderValues words = exchange.getRequestHeaders().get(EDGE);
        if (words != null) {
            api.edgeTold(site, String.join(", ", words));
        }
        String knownTag = exchange.getRequestHeaders().getFirst(Headers.IF_NONE_MATCH);
        Duration wait = Prefer.wait(exchange).orElse(Duration.ZERO);
        if (wait.isZero() || knownTag == null || !places.tryAcquire()) {
            answer(exchange, board.newest(site), knownTag);
            return;
        }
        endpoint.keep(exchange);
        exchange.dispatch(waiters, () -> {
            try {
                Prefer.applied(exchange, wait);
                answer(exchange, board.await(site, knownTag, wait), knownTag);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                exchange.setStatusCode(StatusCodes.SERVICE_UNAVAILABLE).endExchange();
            } finally {
                places.release();
            }
        });
    }

    private static void answer(HttpServerExchange exchange, Optional<TargetList> list, @Nullable String knownTag) {
        if (list.isEmpty()) {
            new Problem(
                            StatusCodes.NOT_FOUND,
                            "no such site, or no proxy of it seen yet",
                            "ask for a site of the cluster file; /v1/status names them")
                    .send(exchange);
            return;
        }
        String tag = list.get().entityTag();
        exchange.getResponseHeaders().put(Headers.ETAG, tag).put(Headers.CACHE_CONTROL, "no-store");
        if (tag.equals(knownTag)) {
            exchange.setStatusCode(StatusCodes.NOT_MODIFIED).endExchange();
        } else {
            Watched.send(exchange, StatusCodes.OK, JSON, list.get().json());
        }
    }

    /** Answers those who wait, then stops listening. What an answer is written from goes when the last has been. */
    @Override
    public void close() {
        board.close();
        events.close();
        waiters.shutdown();
        try {
            var _ = waiters.awaitTermination(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endpoint.close();
    }
}
