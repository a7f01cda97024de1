package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.http.HeaderField;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.GoodStatuses;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.shape.RequestTemplate;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests ask with, seen by the server. */
@Timeout(30)
class RequestFormTest {
    private static final Trace THREE = GeneratedTrace.mixed(3, 0, Catalogue.DEFAULT, 1);
    private static final Trace ENDLESS = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);

    private record Seen(String method, String agent, String token, String type, String body) {}

    @Test
    void shouldSendMethodFieldsAndBody_whenTheyAreGiven() throws InterruptedException {
        Queue<Seen> seen = new ConcurrentLinkedQueue<>();
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(exchange -> exchange.getRequestReceiver().receiveFullString((from, body) -> {
                    seen.add(new Seen(
                            from.getRequestMethod().toString(),
                            field(from, "User-Agent"),
                            field(from, "X-Token"),
                            field(from, "Content-Type"),
                            body));
                    from.setStatusCode(207).getResponseSender().send("done");
                }))
                .build();
        server.start();
        try {
            int port = ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
            Trace trace = new RequestTemplate(RequestMethod.PUT, "item {{n}}", "text/csv", 7).over(THREE);
            LoadResult result = LoadRun.start(LoadPlan.of(
                                    "shop",
                                    trace,
                                    TargetSource.fixed(
                                            List.of(dev.retier.load.target.Target.parse("127.0.0.1:" + port))))
                            .withClients(1)
                            .withHeaders(
                                    List.of(HeaderField.parse("X-Token: a b, c"), HeaderField.parse("user-agent: me")))
                            .withGood(GoodStatuses.parse("200-206,404"))
                            .build())
                    .await();

            assertThat(seen)
                    .containsExactly(
                            new Seen("PUT", "me", "a b, c", "text/csv", "item 0"),
                            new Seen("PUT", "me", "a b, c", "text/csv", "item 1"),
                            new Seen("PUT", "me", "a b, c", "text/csv", "item 2"));
            assertThat(result.totals().failures()).containsOnlyKeys(FailureKind.STATUS_OTHER);
            assertThat(result.totals().failed()).isEqualTo(3);
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldLeaveConnectionsWhereTheyAre_whenTheyShallStayAndTargetsCome() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            ManualTargets targets = new ManualTargets(new TargetList(1, "shop", List.of(one.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withClients(4)
                    .withConnections(Connections.STAY)
                    .build();
            try (LoadRun run = LoadRun.start(plan)) {
                Conditions.await(() -> one.connections() == 4);
                targets.publish(new TargetList(2, "shop", List.of(one.target(), two.target())));
                long before = run.snapshot().totals().answered();
                Conditions.await(() -> run.snapshot().totals().answered() > before + 1000);
                assertThat(two.accepted()).isZero();

                targets.publish(new TargetList(3, "shop", List.of(two.target())));
                Conditions.await(() -> two.connections() == 4 && one.connections() == 0);
                assertThat(run.snapshot().totals().failed()).isZero();
            }
        }
    }

    /** It came back to the same target for ever. */
    @Test
    void shouldGoElsewhere_whenAClientThatStaysIsLetGo() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            ManualTargets targets = new ManualTargets(new TargetList(1, "shop", List.of(one.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withClients(4)
                    .withConnections(Connections.STAY)
                    .build();
            try (LoadRun run = LoadRun.start(plan)) {
                Conditions.await(() -> one.connections() == 4);
                targets.publish(new TargetList(2, "shop", List.of(one.target(), two.target())));
                one.behaving((_, socket) -> {
                    TestServer.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
                    return false;
                });
                Conditions.await(() -> two.connections() == 4 && one.connections() == 0);
                assertThat(run.snapshot().totals().failed()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no colon", "a b: c", "X: a\r\nY: b", "Content-Length: 5", "transfer-encoding: chunked", ": x"})
    void shouldRefuse_whenAFieldCouldFrameTheRequestOtherwise(String text) {
        assertThatThrownBy(() -> HeaderField.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith("header '")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "600", "300-200", "200,", "2xx"})
    void shouldRefuse_whenStatusesAreNone(String text) {
        assertThatThrownBy(() -> GoodStatuses.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String field(HttpServerExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }
}
