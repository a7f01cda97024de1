package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.config.ConfigException;
import dev.retier.config.HostPort;
import dev.retier.webnode.config.Limits;
import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.SyntheticContent;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebNodeIT {
    private Loopback loopback;

    @BeforeEach
    void open(@TempDir Path folder) {
        loopback = new Loopback(folder);
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    @Test
    void shouldServeFilesAndComputations_whenApp() {
        loopback.start("app");
        HttpResponse<String> file = loopback.get("app", "/static/a.png?size=100");
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.body().getBytes(StandardCharsets.US_ASCII))
                .isEqualTo(SyntheticContent.body("/static/a.png", 100));
        assertThat(file.headers().firstValue("X-Retier-Node")).contains("app");
        assertThat(file.headers().firstValue("X-Retier-Epoch")).contains("1");
        assertThat(file.headers().firstValue("Cache-Control")).contains("public, max-age=3600");
        String tag = file.headers().firstValue("ETag").orElseThrow();
        assertThat(loopback.get("app", "/static/a.png?size=100", "If-None-Match", tag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(loopback.get("app", "/static/b").body()).hasSize(4_096);
        assertThat(loopback.get("app", "/static/b?size=999999999").body()).hasSize(1 << 20);
        assertThat(loopback.get("app", "/static/b?size=0").body()).isEmpty();
        assertThat(loopback.get("app", "/dynamic/sum?units=2.5").body())
                .isEqualTo("app computed /dynamic/sum with 2.5 units\n");
    }

    @Test
    void shouldRefuseWhatItDoesNotServe() {
        WebNode app = loopback.start("app");
        assertThat(loopback.get("app", "/other").statusCode()).isEqualTo(404);
        assertThat(loopback.get("app", "/static/a?size=x").statusCode()).isEqualTo(400);
        assertThat(loopback.get("app", "/dynamic/a?units=-1").statusCode()).isEqualTo(400);
        HttpResponse<String> post = loopback.send("POST", app.address().getPort(), "/dynamic/a");
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        HttpResponse<String> head = loopback.send("HEAD", app.address().getPort(), "/static/a");
        assertThat(head.headers().firstValue("Content-Length")).contains("4096");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void shouldAnswerFromMemoryAndForwardTheRest_whenProxy() {
        loopback.start("app");
        WebNode proxy = loopback.start("proxy");
        loopback.makeProxy("proxy", 2, "app");
        awaitEpoch(proxy, 2);
        HttpResponse<String> first = loopback.get("proxy", "/static/a?size=50");
        HttpResponse<String> second = loopback.get("proxy", "/static/a?size=50");
        assertThat(first.headers().firstValue("X-Retier-Cache")).contains("miss");
        assertThat(second.headers().firstValue("X-Retier-Cache")).contains("hit");
        assertThat(second.body()).isEqualTo(first.body()).hasSize(50);
        assertThat(second.headers().firstValue("ETag"))
                .isEqualTo(first.headers().firstValue("ETag"));
        HttpResponse<String> dynamic = loopback.get("proxy", "/dynamic/x?units=7");
        assertThat(dynamic.body()).isEqualTo("app computed /dynamic/x with 7.0 units\n");
        assertThat(dynamic.headers().firstValue("X-Retier-Cache")).contains("forward");
        assertThat(dynamic.headers().firstValue("X-Retier-App")).contains("app");
        assertThat(loopback.get("proxy", "/dynamic/x?units=nonsense").statusCode())
                .isEqualTo(400);
        assertThat(proxy.status().cache().hitsTotal()).isEqualTo(1);
        assertThat(loopback.node("app").status().requestsTotal()).containsEntry("static", 1L);
        assertThat(loopback.node("app").status().lastClientRequestAgeSeconds()).isNull();
        assertThat(proxy.status().lastClientRequestAgeSeconds()).isLessThan(60);
    }

    @Test
    void shouldFetchOnce_whenManyAskForTheSameObject() throws Exception {
        loopback.start("app", 100, Limits.DEFAULTS); // 60 ms a file
        WebNode proxy = loopback.start("proxy");
        loopback.makeProxy("proxy", 2, "app");
        awaitEpoch(proxy, 2);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> answers = IntStream.range(0, 20)
                    .mapToObj(i -> clients.submit(() -> loopback.get("proxy", "/static/same")))
                    .toList();
            for (Future<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().body()).hasSize(4_096);
            }
        }
        assertThat(loopback.node("app").status().requestsTotal()).containsEntry("static", 1L);
        assertThat(proxy.status().cache().missesTotal()).isEqualTo(1);
    }

    @Test
    void shouldNotLoop_whenTwoProxiesNameEachOther() {
        WebNode left = loopback.start("left");
        WebNode right = loopback.start("right");
        loopback.makeProxy("left", 2, "right");
        loopback.makeProxy("right", 2, "left");
        awaitEpoch(left, 2);
        awaitEpoch(right, 2);
        assertThat(loopback.get("left", "/dynamic/x").body()).startsWith("right computed");
        assertThat(loopback.get("right", "/static/x").body()).hasSize(4_096);
        assertThat(left.status().forwardedTotal()).isEqualTo(1);
        assertThat(right.status().forwardedTotal()).isEqualTo(1);
    }

    @Test
    void shouldAnswer503WithRetryAfter_whenTooManyAreInFlight() throws Exception {
        Limits two = new Limits(2, 100, 3, 30_000, 1_000, 64, 5_000);
        WebNode app = loopback.start("app", 10, two); // one second a computation
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> waiting = IntStream.range(0, 2)
                    .mapToObj(i -> clients.submit(() -> loopback.get("app", "/dynamic/x")))
                    .toList();
            await().until(() -> app.status().inFlight() == 2);
            HttpResponse<String> refused = loopback.get("app", "/dynamic/x");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body()).hasLineCount(1);
            for (Future<HttpResponse<String>> answer : waiting) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
            }
        }
        assertThat(app.status().rejectedTotal()).isEqualTo(1);
    }

    @Test
    void shouldKeepServing_whenTheRoleFileIsRefused() {
        loopback.start("app");
        WebNode proxy = loopback.start("proxy");
        loopback.makeProxy("proxy", 2, "app");
        awaitEpoch(proxy, 2);
        loopback.writeRole("proxy", "{\"epoch\": 3, \"role\": \"proxy\", \"site\": \"shop\", \"apps\": []}");
        await().until(() -> proxy.status().lastRefusal() != null);
        assertThat(loopback.get("proxy", "/dynamic/x").statusCode()).isEqualTo(200);
        assertThat(proxy.status().appliedEpoch()).isEqualTo(2);
        assertThat(loopback.admin("proxy", "/readyz?verbose").body()).contains("refused:", "app app in play", "ok");
        assertThat(loopback.admin("proxy", "/metrics").body())
                .contains(
                        "retier_webnode_config_last_reload_successful 0.0", "retier_webnode_config_refused_total 1.0");
    }

    @Test
    void shouldSayNoAppAnswered_whenAllAreGone() {
        loopback.start("app");
        WebNode proxy = loopback.start("proxy");
        loopback.makeProxy("proxy", 2, "app");
        awaitEpoch(proxy, 2);
        loopback.node("app").close();
        HttpResponse<String> answer = loopback.get("proxy", "/dynamic/x");
        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body())
                .startsWith("proxy: no app node answered (1 tried, last app: ")
                .hasLineCount(1);
        assertThat(loopback.admin("proxy", "/readyz").statusCode()).isEqualTo(503);
        assertThat(proxy.status().upstreams()).singleElement().satisfies(app -> {
            assertThat(app.benched()).isTrue();
            assertThat(app.inFlight()).isZero();
            assertThat(app.failuresTotal()).isPositive();
        });
    }

    @Test
    void shouldShowStatusMetricsAndHealth() {
        loopback.start("app");
        loopback.get("app", "/static/x");
        await().untilAsserted(() ->
                assertThat(loopback.node("app").status().completedTotal()).containsEntry("static", 1L));
        assertThat(loopback.admin("app", "/status").body())
                .contains("\"node\":\"app\"", "\"role\":\"app\"", "\"applied_epoch\":1", "\"last_refusal\":null")
                .contains("\"capacity_units_per_second\":1000000.0", "\"busy_seconds_total\":6.0E-6")
                .contains("\"requests_total\":{\"static\":1,\"dynamic\":0}", "\"hits_total\":0", "\"upstreams\":[]");
        assertThat(loopback.admin("app", "/livez").body()).isEqualTo("ok\n");
        assertThat(loopback.admin("app", "/readyz").body()).isEqualTo("ok\n");
        assertThat(loopback.admin("app", "/nothing").statusCode()).isEqualTo(404);
        assertThat(loopback.admin("app", "/metrics").body())
                .contains("retier_webnode_build_info{", "retier_webnode_busy_seconds_total 6.0E-6")
                .contains("retier_webnode_requests_total{class=\"static\"} 1.0")
                .contains("retier_webnode_request_duration_seconds_count{class=\"static\"} 1")
                .contains("retier_webnode_config_generation 1.0", "retier_webnode_backlog_seconds 0.0");
        assertThat(loopback.admin("app", "/metrics", "Accept", "application/openmetrics-text")
                        .body())
                .endsWith("# EOF\n");
    }

    @Test
    void shouldRefuseToStartWithOneClearLine_whenThePortIsTaken() {
        WebNode app = loopback.start("app");
        HostPort taken = new HostPort("127.0.0.1", app.address().getPort());
        HostPort any = new HostPort("127.0.0.1", 0);
        assertThatThrownBy(() -> WebNode.start(WebNodeSettings.of("b", taken, any, loopback.roleFile("app"), 1)))
                .isInstanceOf(WebNodeException.class)
                .hasMessageMatching("cannot listen on " + taken + ": .*; stop what uses it, or change \"listen\".*");
        assertThatThrownBy(() -> WebNode.start(WebNodeSettings.of("b", any, taken, loopback.roleFile("app"), 1)))
                .isInstanceOf(WebNodeException.class)
                .hasMessageContaining("change \"admin\"");
        assertThatThrownBy(() -> WebNode.start(WebNodeSettings.of("b", any, any, loopback.roleFile("none"), 1)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldAnswerAsAnApp_whenSpare() {
        WebNode spare = loopback.start("spare");
        loopback.writeRole("spare", "{\"epoch\": 2, \"role\": \"spare\"}");
        awaitEpoch(spare, 2);
        assertThat(loopback.get("spare", "/dynamic/x").body()).startsWith("spare computed");
        assertThat(spare.status().role()).isEqualTo("spare");
        assertThat(spare.status().site()).isNull();
    }

    @Test
    void shouldLetRequestsFinish_whenClosed() throws Exception {
        WebNode app = loopback.start("app", 10, Limits.DEFAULTS); // one second a computation
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> last = clients.submit(() -> loopback.get("app", "/dynamic/x"));
            await().until(() -> app.status().inFlight() == 1);
            app.close();
            assertThat(last.get().statusCode()).isEqualTo(200);
        }
        assertThatThrownBy(() -> loopback.get("app", "/dynamic/x")).hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void shouldAskAnotherApp_whenOneHangs() throws IOException {
        Limits impatient = new Limits(100, 100, 3, 2_000, 60_000, 64, 5_000);
        WebNode proxy = loopback.start("proxy", 1e6, impatient);
        loopback.start("app");
        try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            loopback.writeRole("proxy", """
                    {"epoch": 2, "role": "proxy", "site": "shop", "apps": [
                      {"node": "hung", "address": "127.0.0.1:%d", "weight": 1000},
                      {"node": "app", "address": "127.0.0.1:%d", "weight": 1}]}""".formatted(
                            hung.getLocalPort(), loopback.node("app").address().getPort()));
            awaitEpoch(proxy, 2);
            assertThat(loopback.get("proxy", "/dynamic/x").body()).startsWith("app computed");
            assertThat(proxy.status().upstreams().getFirst().benched()).isTrue();
            assertThat(proxy.status().retriesTotal()).isEqualTo(1);
            assertThat(loopback.get("proxy", "/dynamic/y").body()).startsWith("app computed");
            assertThat(proxy.status().retriesTotal()).isEqualTo(1);
        }
    }

    private static void awaitEpoch(WebNode node, long epoch) {
        await().until(() -> node.status().appliedEpoch() == epoch);
    }
}
