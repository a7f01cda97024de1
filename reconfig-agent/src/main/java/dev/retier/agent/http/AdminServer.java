package dev.retier.agent.http;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.HostPort;
import dev.retier.agent.render.TargetList;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.AllowedMethodsHandler;
import io.undertow.server.handlers.PathTemplateHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.PathTemplateMatch;
import io.undertow.util.StatusCodes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the admin API over HTTP: {@code /v1/targets/{site}}, {@code /v1/status}, {@code /metrics}, {@code /livez},
 * {@code /readyz}. Reads only. A target list may be waited for with {@code If-None-Match} and {@code Prefer: wait=N}
 * (RFC 7240, section 4.3); after N seconds without a change the answer is 304.
 */
public final class AdminServer implements AutoCloseable {
    /** Requests that wait at the same time; more are answered at once. */
    private static final int MAX_WAITING = 1_024;

    private static final HttpString PREFER = new HttpString("Prefer");
    private static final HttpString PREFERENCE_APPLIED = new HttpString("Preference-Applied");
    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait\\s*=\\s*(\\d{1,6})(?:$|[,;\\s])");
    private static final String JSON = "application/json";

    private final Undertow undertow;
    private final TargetBoard board;
    private final AdminApi api;
    private final AgentMetrics metrics;
    private final ExecutorService waiters;
    private final Semaphore places = new Semaphore(MAX_WAITING);

    private AdminServer(HostPort listen, String node, TargetBoard board, AdminApi api, AgentMetrics metrics) {
        this.board = board;
        this.api = api;
        this.metrics = metrics;
        this.waiters = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("retier-wait-" + node + "-", 0).factory());
        PathTemplateHandler paths = Handlers.pathTemplate()
                .add("/v1/targets/{site}", this::targets)
                .add("/v1/status", exchange -> send(exchange, StatusCodes.OK, JSON, api.statusJson()))
                .add("/metrics", this::metrics)
                .add("/livez", exchange -> send(exchange, StatusCodes.OK, "text/plain", "ok\n"))
                .add("/readyz", this::ready);
        this.undertow = Undertow.builder()
                .setIoThreads(1)
                .setWorkerThreads(1)
                .addHttpListener(listen.port(), listen.host())
                .setHandler(new AllowedMethodsHandler(paths, Methods.GET, Methods.HEAD))
                .build();
    }

    /**
     * Listens at {@code listen}.
     *
     * @throws ReconfigException when the address cannot be listened at
     */
    public static AdminServer start(
            HostPort listen, String node, TargetBoard board, AdminApi api, AgentMetrics metrics) {
        AdminServer server = new AdminServer(listen, node, board, api, metrics);
        try {
            server.undertow.start();
            return server;
        } catch (RuntimeException e) {
            server.waiters.shutdownNow();
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "agent of " + node + " cannot listen at " + listen + "; free that port or change the key agent",
                    e);
        }
    }

    /** Where it listens, with the port that the system chose if none was asked for. */
    public HostPort address() {
        InetSocketAddress address =
                (InetSocketAddress) undertow.getListenerInfo().getFirst().getAddress();
        return new HostPort(address.getAddress().getHostAddress(), address.getPort());
    }

    private void targets(HttpServerExchange exchange) {
        String site = exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY)
                .getParameters()
                .getOrDefault("site", "");
        String knownTag = exchange.getRequestHeaders().getFirst(Headers.IF_NONE_MATCH);
        Duration wait = wait(exchange);
        if (wait.isZero() || knownTag == null || !places.tryAcquire()) {
            answer(exchange, board.newest(site), knownTag);
            return;
        }
        exchange.dispatch(waiters, () -> {
            try {
                exchange.getResponseHeaders().put(PREFERENCE_APPLIED, "wait=" + wait.toSeconds());
                answer(exchange, board.await(site, knownTag, wait), knownTag);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                exchange.setStatusCode(StatusCodes.SERVICE_UNAVAILABLE).endExchange();
            } finally {
                places.release();
            }
        });
    }

    private static Duration wait(HttpServerExchange exchange) {
        String prefer = exchange.getRequestHeaders().getFirst(PREFER);
        Matcher matcher = WAIT.matcher(prefer == null ? "" : prefer);
        return Duration.ofSeconds(matcher.find() ? TargetBoard.clampSeconds(Long.parseLong(matcher.group(1))) : 0);
    }

    private static void answer(HttpServerExchange exchange, Optional<TargetList> list, @Nullable String knownTag) {
        if (list.isEmpty()) {
            send(exchange, StatusCodes.NOT_FOUND, JSON, "{\"error\":\"no such site, or no proxy of it seen yet\"}");
            return;
        }
        String tag = list.get().entityTag();
        exchange.getResponseHeaders().put(Headers.ETAG, tag).put(Headers.CACHE_CONTROL, "no-store");
        if (tag.equals(knownTag)) {
            exchange.setStatusCode(StatusCodes.NOT_MODIFIED).endExchange();
        } else {
            send(exchange, StatusCodes.OK, JSON, list.get().json());
        }
    }

    private void metrics(HttpServerExchange exchange) {
        String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
        boolean isOpenMetrics = accept != null && accept.contains("application/openmetrics-text");
        String type = isOpenMetrics
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        send(exchange, StatusCodes.OK, type, metrics.scrape(type));
    }

    private void ready(HttpServerExchange exchange) {
        List<AdminApi.Check> checks = api.readiness();
        boolean isReady = checks.stream().allMatch(AdminApi.Check::isGood);
        boolean isVerbose = exchange.getQueryParameters().containsKey("verbose") || !isReady;
        String lines = checks.stream()
                .map(check -> (check.isGood() ? "[+] " : "[-] ") + check.name() + ": " + check.detail() + "\n")
                .collect(Collectors.joining());
        String text = (isVerbose ? lines : "") + (isReady ? "ok\n" : "not ready\n");
        send(exchange, isReady ? StatusCodes.OK : StatusCodes.SERVICE_UNAVAILABLE, "text/plain", text);
    }

    private static void send(HttpServerExchange exchange, int status, String type, String body) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
        exchange.getResponseSender().send(body);
    }

    /** Answers those who wait, then stops listening. */
    @Override
    public void close() {
        board.close();
        waiters.shutdown();
        undertow.stop();
    }
}
