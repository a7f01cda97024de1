package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.StubApi;
import dev.retier.agent.render.TargetList;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private static final TargetList FIRST = new TargetList(12, "shop", List.of(new HostPort("10.0.0.1", 80)));
    private static final TargetList SECOND = new TargetList(13, "shop", List.of(new HostPort("10.0.0.2", 80)));

    private final TargetBoard board = new TargetBoard();
    private final AgentMetrics metrics = new AgentMetrics();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile String status = "{\"node\":\"one\"}";
    private volatile boolean isReady = true;
    private AdminServer server = start(0);

    private AdminServer start(int port) {
        StubApi api = new StubApi() {
            @Override
            public String statusJson() {
                return status;
            }

            @Override
            public void edgeTold(String site, String word) {
                told.add(site + ": " + word);
            }

            @Override
            public List<Check> fitness() {
                return List.of(new Check("doctor", false, "modules: mod_rewrite is not loaded"));
            }

            @Override
            public List<Check> readiness() {
                return List.of(new Check("peers", isReady, "0 % unknown"));
            }
        };
        return AdminServer.start(new HostPort("127.0.0.1", port), Clusters.access("one"), board, api, metrics);
    }

    @BeforeEach
    void post() {
        board.post(FIRST);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + server.address() + path));
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldEndAtOnce_whenItIsClosedASecondTime() {
        server.close();

        assertTimeoutPreemptively(Duration.ofSeconds(30), server::close);
    }

    /** An answer that is written when its buffers are gone ends the thread that writes it. */
    @RepeatedTest(10)
    void shouldAnswerEveryoneWhoWaits_whenItIsClosed() throws Exception {
        Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, failure) -> uncaught.add(failure));
        try {
            HttpRequest waiting = request("/v1/targets/shop")
                    .headers("If-None-Match", FIRST.entityTag(), "Prefer", "wait=30", "Retier-Edge", "a")
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 16)
                    .mapToObj(_ -> client.sendAsync(waiting, HttpResponse.BodyHandlers.ofString()))
                    .toList();
            await().until(() -> told.size() == answers.size());
            assertThat(get("/livez").statusCode())
                    .as("the one thread that reads has handed them all over")
                    .isEqualTo(200);
            server.close();

            assertThat(answers).allMatch(answer -> answer.join().statusCode() == 404);
            assertThat(uncaught).isEmpty();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void shouldServeTheTargets_whenAsked() throws Exception {
        HttpResponse<String> answer = get("/v1/targets/shop");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(FIRST.json());
        assertThat(answer.headers().firstValue("ETag")).contains(FIRST.entityTag());
    }

    @Test
    void shouldPassOnWhatAnEdgeTells_whateverItIs() throws Exception {
        assertThat(get("/v1/targets/shop", "Retier-Edge", "front; stamp=12; sends=no")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get("/v1/targets/stop", "Retier-Edge", ";;%00=\"x").statusCode())
                .isEqualTo(404);
        assertThat(get("/v1/targets/shop", "Retier-Edge", "a", "Retier-Edge", "b")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get("/v1/status", "Retier-Edge", "front; stamp=12; sends=no").statusCode())
                .isEqualTo(200);

        assertThat(told).containsExactly("shop: front; stamp=12; sends=no", "stop: ;;%00=\"x", "shop: a, b");
    }

    @Test
    void shouldSayNotModified_whenTheTagIsKnown() throws Exception {
        assertThat(get("/v1/targets/shop", "If-None-Match", FIRST.entityTag()).statusCode())
                .isEqualTo(304);
        assertThat(get("/v1/targets/shop", "If-None-Match", "\"1-0\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldSayNotFound_whenTheSiteIsUnknown() throws Exception {
        assertThat(get("/v1/targets/stop").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldAnswerAtTheChange_whenAClientWaits() {
        HttpRequest waiting = request("/v1/targets/shop")
                .headers("If-None-Match", FIRST.entityTag(), "Prefer", "wait=30")
                .build();
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(waiting, HttpResponse.BodyHandlers.ofString());
        assertThat(answer).isNotDone();
        board.post(SECOND);
        assertThat(answer.join().body()).isEqualTo(SECOND.json());
        assertThat(answer.join().headers().firstValue("Preference-Applied")).contains("wait=30");
    }

    @Test
    void shouldSayNotModified_whenTheWaitEnds() throws Exception {
        HttpResponse<String> answer =
                get("/v1/targets/shop", "If-None-Match", FIRST.entityTag(), "Prefer", "respond-async, wait=1");
        assertThat(answer.statusCode()).isEqualTo(304);
    }

    @Test
    void shouldKeepTheLastList_whenTheNewOneIsEmpty() throws Exception {
        assertThat(board.post(new TargetList(14, "shop", List.of()))).isFalse();
        assertThat(get("/v1/targets/shop").body()).isEqualTo(FIRST.json());
    }

    @Test
    void shouldServeStatusMetricsAndHealth_whenAsked() throws Exception {
        metrics.count(AgentMetric.MOVES_SKIPPED, "reason", "NO_PRESSURE");
        assertThat(get("/v1/status").body()).isEqualTo("{\"node\":\"one\"}");
        assertThat(get("/metrics").body()).contains("retier_moves_skipped_total{reason=\"NO_PRESSURE\"} 1.0");
        assertThat(get("/metrics", "Accept", "application/openmetrics-text").body())
                .endsWith("# EOF\n");
        assertThat(get("/livez").body()).isEqualTo("ok\n");
        assertThat(get("/readyz").body()).isEqualTo("ok\n");
        assertThat(get("/readyz?verbose").body())
                .isEqualTo("[+] peers: 0 % unknown\n[!] doctor: modules: mod_rewrite is not loaded\nok\n");
        isReady = false;
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    void shouldRefuseToChangeAnything_whenAskedTo() throws Exception {
        HttpRequest post = request("/v1/targets/shop")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void shouldNameThePort_whenItIsInUse() {
        int taken = server.address().port();
        assertThatThrownBy(() -> start(taken))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining("127.0.0.1:" + taken)
                .hasMessageContaining("free that port");
    }
}
