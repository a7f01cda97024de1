package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.ReconfigException;
import dev.retier.config.HostPort;
import dev.retier.link.LinkMetric;
import dev.retier.link.Metric;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A process that is no agent, watched as agents are. */
class WatchServerTest {
    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

    private final Meters meters = new Meters();
    private volatile boolean isReady = true;

    private final Health health = new Health() {
        @Override
        public List<Check> liveness() {
            return List.of();
        }

        @Override
        public List<Check> readiness() {
            return List.of(new Check("pool", isReady, "it is full"));
        }

        @Override
        public List<Check> fitness() {
            return List.of();
        }
    };

    private static HttpResponse<String> get(WatchServer server, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void shouldTellMetricsAndHealthAndNothingElse() throws Exception {
        meters.figure(LinkMetric.CONNECTIONS_LOST, () -> Map.of(LinkMetric.CONNECTIONS_LOST, 3L));
        try (WatchServer server = WatchServer.start(ANY_PORT, health, meters)) {
            assertThat(get(server, "/metrics").body()).contains("retier_state_connections_lost_total 3.0");
            assertThat(get(server, "/livez").body()).isEqualTo("ok\n");
            assertThat(get(server, "/readyz?verbose").body()).isEqualTo("[+] pool: it is full\nok\n");
            assertThat(get(server, "/v1/status").statusCode()).isEqualTo(404);

            isReady = false;
            HttpResponse<String> answer = get(server, "/readyz");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("[-] pool: it is full\nnot ready\n");

            assertThatThrownBy(() -> WatchServer.start(server.address(), health, meters))
                    .isInstanceOf(ReconfigException.class)
                    .hasMessageContaining("free that port or change the key admin");
        }
    }

    @Test
    void shouldAskASourceOnceForEachScrape() {
        AtomicLong asked = new AtomicLong();
        Supplier<Map<Metric, Long>> source = () -> {
            long count = asked.incrementAndGet();
            return Map.of(LinkMetric.CONNECTIONS_LOST, count, LinkMetric.HANDSHAKES_REFUSED, count);
        };
        meters.figure(LinkMetric.CONNECTIONS_LOST, source);
        meters.figure(LinkMetric.HANDSHAKES_REFUSED, source);

        assertThat(meters.scrape("text/plain"))
                .contains("retier_state_connections_lost_total 1.0")
                .contains("retier_state_handshakes_refused_total 1.0");
        assertThat(meters.scrape("text/plain"))
                .contains("retier_state_connections_lost_total 2.0")
                .contains("retier_state_handshakes_refused_total 2.0");
    }

    /** What only a meter knows may be collected: it would then tell nothing any more. */
    @Test
    void shouldKeepWhatAFigureIsAskedOf() {
        Map<Metric, Long> counts = Map.of(LinkMetric.CONNECTIONS_LOST, 3L);
        meters.figure(LinkMetric.CONNECTIONS_LOST, () -> counts);
        WeakReference<Object> other = new WeakReference<>(new Object());
        while (other.get() != null) {
            System.gc();
        }

        assertThat(meters.scrape("text/plain")).contains("retier_state_connections_lost_total 3.0");
    }
}
