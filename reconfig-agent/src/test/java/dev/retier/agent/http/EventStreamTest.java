package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.StubApi;
import dev.retier.agent.fixture.WatchedStream;
import dev.retier.agent.http.EventRing.Kind;
import dev.retier.config.HostPort;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String status = "{\"epoch\":1}";
    private final StubApi api = new StubApi() {
        @Override
        public String statusJson() {
            asked.incrementAndGet();
            return status;
        }
    };
    private final AdminServer server = serving(api);
    private final List<WatchedStream> streams = new ArrayList<>();

    @AfterEach
    void stop() {
        streams.forEach(WatchedStream::close);
        server.close();
    }

    private WatchedStream open(String lastId) throws IOException, InterruptedException {
        WatchedStream stream = WatchedStream.open(server.address(), lastId);
        streams.add(stream);
        return stream;
    }

    private void add(int from, int to) {
        IntStream.range(from, to).forEach(i -> api.events().add(Kind.MOVE, "{\"n\":" + i + "}"));
    }

    private static List<String> moves(WatchedStream stream) {
        return stream.got("move").stream().map(WatchedStream.Event::data).toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "{\"n\":" + i + "}").toList();
    }

    @Test
    void shouldTellTheStatusAtOnce_thenWhenItIsAnother() throws Exception {
        WatchedStream stream = open("");
        await().until(() -> !stream.got("status").isEmpty());
        int before = asked.get();
        await().until(() -> asked.get() >= before + 3);
        status = "{\"epoch\":2}";
        await().until(() -> stream.got("status").size() >= 2);

        assertThat(stream.type()).isEqualTo("text/event-stream; charset=UTF-8");
        assertThat(stream.got())
                .containsExactly(
                        new WatchedStream.Event("status", "", "{\"epoch\":1}"),
                        new WatchedStream.Event("status", "", "{\"epoch\":2}"));
    }

    @Test
    void shouldAskForNoStatus_whileNobodyWatches() throws Exception {
        try (WatchedStream stream = WatchedStream.open(server.address(), "")) {
            await().until(() -> !stream.got("status").isEmpty());
        }
        AtomicInteger last = new AtomicInteger();
        await().during(Duration.ofMillis(500)).until(() -> {
            add(0, 1); // what is sent finds out that it is gone
            int now = asked.get();
            return last.getAndSet(now) == now;
        });
    }

    @Test
    void shouldTellOnlyWhatHappensFromNowOn_whenItIsNotResumed() throws Exception {
        add(0, 2);
        WatchedStream stream = open("");
        await().until(() -> !stream.got("status").isEmpty());
        add(2, 4);
        await().until(() -> stream.got("move").size() >= 2);

        assertThat(moves(stream)).isEqualTo(numbers(2, 4));
        assertThat(stream.got("gap")).isEmpty();
    }

    @Test
    void shouldGoOnWhereItWas_whenItIsResumed() throws Exception {
        WatchedStream first = open("");
        await().until(() -> !first.got("status").isEmpty());
        add(0, 3);
        await().until(() -> first.got("move").size() == 3);
        first.close();
        add(3, 6);
        WatchedStream second = open(first.got("move").get(1).id());
        await().until(() -> second.got("move").size() >= 4);

        assertThat(moves(second)).isEqualTo(numbers(2, 6));
        assertThat(second.got("gap")).isEmpty();
        assertThat(second.got("status")).isNotEmpty();
    }

    @Test
    void shouldSayThatEventsWereMissed_whenTheyAreGone() throws Exception {
        add(0, EventRing.MOST + 5);
        WatchedStream old = open("a1-4");
        WatchedStream otherLife = open("b7-4");
        await().until(() -> old.got("move").size() == EventRing.MOST
                && otherLife.got("move").size() == EventRing.MOST);

        assertThat(old.got().getFirst().event()).isEqualTo("gap");
        assertThat(otherLife.got().getFirst().event()).isEqualTo("gap");
        assertThat(otherLife.got("gap")).hasSize(1);
        assertThat(moves(old)).isEqualTo(numbers(5, EventRing.MOST + 5));
    }

    @Test
    void shouldRefuseOneMoreThanItTakes_untilOneIsGone() throws Exception {
        for (int i = 0; i < EventStream.MOST_CLIENTS; i++) {
            assertThat(open("").status()).isEqualTo(200);
        }
        WatchedStream refused = open("");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.type()).isEqualTo(Problem.TYPE);
        streams.getFirst().close();
        await().until(() -> {
            status = "{\"epoch\":" + asked.get() + "}"; // what is sent finds out that it is gone
            return open("").status() == 200;
        });
    }

    /** As in a large cell: a second of half a percent is 5 ms. */
    private static final class Slow extends StubApi {
        private final List<Long> madeNanos = new CopyOnWriteArrayList<>();

        @Override
        public String statusJson() {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < Duration.ofMillis(5).toNanos()) {
                Thread.onSpinWait();
            }
            madeNanos.add(System.nanoTime());
            return "{\"epoch\":" + madeNanos.size() + "}";
        }

        /** Whether one came well before a second was over. */
        private boolean isOften() {
            List<Long> made = List.copyOf(madeNanos);
            return IntStream.range(1, made.size())
                    .anyMatch(at -> made.get(at) - made.get(at - 1)
                            < Duration.ofMillis(700).toNanos());
        }
    }

    @Test
    void shouldMakeStatusesSeldomer_whenOneTakesLong() throws Exception {
        Slow slow = new Slow();
        try (AdminServer of = serving(slow);
                WatchedStream stream = WatchedStream.open(of.address(), "")) {
            await().until(() -> stream.got("status").size() >= 3);

            assertThat(slow.madeNanos.get(2) - slow.madeNanos.get(0))
                    .isGreaterThan(Duration.ofMillis(1900).toNanos());
        }
    }

    @Test
    void shouldMakeStatusesAsOften_whileNodesMove() throws Exception {
        Slow slow = new Slow();
        try (AdminServer of = serving(slow);
                WatchedStream stream = WatchedStream.open(of.address(), "")) {
            await().until(() -> {
                slow.events().add(Kind.MOVE, "{}");
                return slow.isOften();
            });
            assertThat(stream.got("move")).isNotEmpty();
        }
    }

    @Test
    void shouldTellTheStatusThatItHas_whenOneComesMeanwhile() throws Exception {
        Slow slow = new Slow();
        try (AdminServer of = serving(slow);
                WatchedStream first = WatchedStream.open(of.address(), "")) {
            await().until(() -> !first.got("status").isEmpty());
            await().until(() -> {
                String kept = "{\"epoch\":" + slow.madeNanos.size() + "}";
                try (WatchedStream next = WatchedStream.open(of.address(), "")) {
                    await().until(() -> !next.got("status").isEmpty());
                    return next.got("status").getFirst().data().equals(kept);
                }
            });
        }
    }

    private static AdminServer serving(StubApi api) {
        return AdminServer.start(
                new HostPort("127.0.0.1", 0), Clusters.access("one"), new TargetBoard(), api, new AgentMetrics());
    }

    @Test
    void shouldServeAsMany_afterTheListenerHadNoConnectionToSpare() throws Exception {
        AtomicInteger asking = new AtomicInteger();
        EventStream.Keeping keeping = new EventStream.Keeping() {
            @Override
            public boolean take(HttpServerExchange exchange) {
                return asking.incrementAndGet() > EventStream.MOST_CLIENTS;
            }

            @Override
            public void giveBack() {}
        };
        EventStream stream = new EventStream("node-1", api.events(), api::statusJson, keeping);
        Undertow listener = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(stream)
                .build();
        listener.start();
        stream.start();
        try {
            HostPort address = HostPort.parse("127.0.0.1:"
                            + ((InetSocketAddress) listener.getListenerInfo()
                                            .getFirst()
                                            .getAddress())
                                    .getPort())
                    .orElseThrow();
            for (int i = 0; i < EventStream.MOST_CLIENTS; i++) {
                try (WatchedStream refused = WatchedStream.open(address, "")) {
                    assertThat(refused.status()).isEqualTo(503);
                }
            }
            try (WatchedStream taken = WatchedStream.open(address, "")) {
                assertThat(taken.status()).isEqualTo(200);
            }
        } finally {
            stream.close();
            listener.stop();
        }
    }

    /** It is still connected, as a page in a suspended laptop is. */
    @Test
    void shouldServeTheOthers_whenOneTakesNothing() throws Exception {
        try (Socket stuck = new Socket(server.address().host(), server.address().port())) {
            stuck.getOutputStream()
                    .write("GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            WatchedStream other = open("");
            await().until(() -> !other.got("status").isEmpty());
            String padding = "x".repeat(1 << 20);
            for (int i = 2; i < 20; i++) {
                status = "{\"epoch\":" + i + ",\"padding\":\"" + padding + "\"}";
                int wanted = i;
                await().until(() -> other.got("status").size() >= wanted);
            }
            add(0, 3);
            await().until(() -> other.got("move").size() == 3);
        }
    }

    @Test
    void shouldEndTheStreams_whenTheAgentEnds() throws Exception {
        WatchedStream stream = open("");
        await().until(() -> !stream.got("status").isEmpty());
        server.close();

        await().until(stream::hasEnded);
    }

    @Test
    void shouldAnswerHeadAtOnce() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.address() + "/v1/events"))
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
