package dev.retier.load.drive;

import static dev.retier.load.drive.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(20)
class LoadRunTest {
    private static final Trace ENDLESS = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldSendEveryEventOnce_whenTheTraceEnds() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            Trace trace = GeneratedTrace.alternating(BurstPlan.of(100, 6, RequestClass.STATIC), Catalogue.DEFAULT, 1);
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(one.target(), two.target())))
                    .withClients(7)
                    .withEventLoops(2)
                    .withLoops(2)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.TRACE_END);
            assertThat(result.totals()).isEqualTo(new Totals(1200, 1200, 0, 0, 0, 600, 600, 2400, Map.of()));
            assertThat(one.requests() + two.requests()).isEqualTo(1200);
            assertThat(result.bursts()).hasSize(12).allMatch(burst -> burst.sent() == 100 && burst.answered() == 100);
            assertThat(result.intervals().stream().mapToLong(Interval::answered).sum())
                    .isEqualTo(1200);
            assertThat(result.staticLatency().count()).isEqualTo(600);
            assertThat(result.latency().p50Nanos()).isPositive();
            assertThat(result.reading().events()).isEqualTo(1200);
            assertThat(result.targets())
                    .containsExactlyInAnyOrder(
                            new TargetTotals(one.target().toString(), one.requests(), 0),
                            new TargetTotals(two.target().toString(), two.requests(), 0));
        }
    }

    @Test
    void shouldTimeOutEachRequest_whenTheServerIsSilent() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving(server::silence);
            LoadPlan plan = plan(server)
                    .withClients(3)
                    .withMaxRequests(6)
                    .withRequestTimeout(Duration.ofMillis(100))
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().failures()).isEqualTo(Map.of(FailureKind.TIMEOUT, 6L));
            assertThat(result.elapsedMillis()).isBetween(200.0, 10_000.0);
        }
    }

    @Test
    void shouldTellFailuresApart_whenAnswersAreBad() throws InterruptedException {
        AtomicInteger turn = new AtomicInteger();
        List<TestServer.Behaviour> behaviours = List.of(
                (_, socket) -> TestServer.send(socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
                (_, socket) -> TestServer.send(socket, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"),
                (_, socket) -> !TestServer.send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
                (_, socket) -> !TestServer.send(socket, "garbage\r\n\r\n"),
                (_, socket) -> !TestServer.send(socket, "SSH-2.0-OpenSSH_9.2\r\n"),
                (_, socket) -> !TestServer.send(socket, "HTTP/1.1 200 O"),
                (_, _) -> false,
                (_, socket) -> {
                    socket.setSoLinger(true, 0);
                    return false;
                },
                (_, socket) -> !TestServer.send(socket, "HTTP/1.0 200 OK\r\n\r\nuntil close"),
                TestServer::answerOk);
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) ->
                    behaviours.get(turn.getAndIncrement() % behaviours.size()).answer(line, socket));
            LoadPlan plan = plan(server)
                    .withClients(1)
                    .withMaxRequests(behaviours.size())
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().failures())
                    .isEqualTo(Map.of(
                            FailureKind.STATUS_4XX, 1L,
                            FailureKind.STATUS_5XX, 1L,
                            FailureKind.TRUNCATED_BODY, 2L,
                            FailureKind.BAD_RESPONSE, 2L,
                            FailureKind.RESET, 2L));
            assertThat(result.causes())
                    .containsEntry(FailureKind.STATUS_4XX, "the first: 404")
                    .containsEntry(FailureKind.STATUS_5XX, "the first: 503");
            assertThat(result.totals().answered()).isEqualTo(2);
            assertThat(result.totals().bodyBytes()).isEqualTo("until close".length() + 2L);
        }
    }

    /** Only an end in good order ends an answer that says no length (RFC 9112 section 6.3). */
    @Test
    void shouldCountNoAnswer_whenAResetEndsOneWithoutALength() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving((_, socket) -> {
                TestServer.send(socket, "HTTP/1.1 200 OK\r\n\r\nhalf of it");
                socket.setSoLinger(true, 0);
                return false;
            });
            LoadPlan plan = plan(server).withClients(2).withMaxRequests(40).build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().answered()).isZero();
            assertThat(result.totals().failed()).isEqualTo(40);
            assertThat(result.totals().failures().keySet()).isSubsetOf(FailureKind.TRUNCATED_BODY, FailureKind.RESET);
        }
    }

    @Test
    void shouldDropWhatIsInFlight_whenStoppedAndTheGraceIsOver() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving(server::silence);
            LoadPlan plan = plan(server)
                    .withClients(5)
                    .withStopGrace(Duration.ofMillis(50))
                    .build();
            LoadRun run = LoadRun.start(plan);
            await(() -> server.requests() == 5);
            assertThat(run.snapshot().totals().inFlight()).isEqualTo(5);

            run.stop();
            LoadResult result = run.await();

            assertThat(result.totals()).isEqualTo(new Totals(5, 0, 0, 5, 0, 0, 0, 0, Map.of()));
            assertThat(run.snapshot().running()).isFalse();
        }
    }

    @Test
    void shouldLetRequestsFinish_whenTheyDoWithinTheGrace() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> {
                release.await();
                return TestServer.answerOk(line, socket);
            });
            LoadRun run = LoadRun.start(plan(server).withClients(5).build());
            await(() -> server.requests() == 5);

            run.stop();
            release.countDown();

            Totals totals = run.await().totals();
            assertThat(totals.sent()).isGreaterThanOrEqualTo(5);
            assertThat(totals.answered()).isEqualTo(totals.sent());
        }
    }

    @Test
    void shouldEndByTheClock_whenADurationIsGiven() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = plan(server)
                    .withClients(4)
                    .withDuration(Duration.ofMillis(300))
                    .withInterval(Duration.ofMillis(50))
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.DURATION);
            assertThat(result.elapsedMillis()).isBetween(300.0, 10_000.0);
            assertThat(result.intervals().size()).isGreaterThanOrEqualTo(6);
            assertThat(result.totals().answered())
                    .isEqualTo(result.intervals().stream()
                            .mapToLong(Interval::answered)
                            .sum());
        }
    }

    @Test
    void shouldGiveUpWithAReason_whenNothingIsAnsweredForTheStallLimit() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving(server::silence);
            LoadPlan plan = plan(server)
                    .withClients(2)
                    .withRequestTimeout(Duration.ofMillis(300))
                    .withStallLimit(Duration.ofSeconds(1))
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.STALLED);
            assertThat(result.problem()).startsWith("no answer for 1 s");
            assertThat(result.latency().p50Nanos() / 1e6).isGreaterThanOrEqualTo(299);
        }
    }

    @Test
    void shouldGiveUpWithAReason_whenNothingListens() throws InterruptedException {
        TestServer gone = TestServer.start();
        gone.die();
        Trace endless = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);
        LoadPlan plan = LoadPlan.of("shop", endless, TargetSource.fixed(List.of(gone.target())))
                .withClients(4)
                .withStallLimit(Duration.ofMillis(600))
                .build();

        LoadResult result = LoadRun.start(plan).await();

        assertThat(result.end()).isEqualTo(EndReason.STALLED);
        assertThat(result.elapsedMillis()).isLessThan(10_000);
        assertThat(result.health().warnings()).anyMatch(warning -> warning.contains("clients rested for"));
    }

    @Test
    void shouldShowProgress_whenARunIsWatched() throws InterruptedException {
        AtomicLong allowed = new AtomicLong(50);
        CountDownLatch release = new CountDownLatch(1);
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> {
                if (allowed.getAndDecrement() <= 0) {
                    release.await();
                }
                return TestServer.answerOk(line, socket);
            });
            Trace trace = GeneratedTrace.alternating(BurstPlan.of(25, 4, RequestClass.STATIC), Catalogue.DEFAULT, 1);
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(server.target())))
                    .withClients(1)
                    .build();
            LoadRun run = LoadRun.start(plan);
            await(() -> server.requests() == 51);

            LoadSnapshot snapshot = run.snapshot();

            assertThat(snapshot.running()).isTrue();
            assertThat(snapshot.progressShare()).isEqualTo(0.51);
            assertThat(snapshot.segment()).isEqualTo(2);
            assertThat(snapshot.targets().targets()).containsExactly(server.target());
            release.countDown();
            run.await();
            assertThat(run.snapshot().progressShare()).isEqualTo(1.0);
        }
    }

    @Test
    void shouldNameAllProblems_whenThePlanIsBad() {
        LoadPlan plan = LoadPlan.of("my shop", ENDLESS, TargetSource.fixed(List.of(new Target("h", 1))))
                .withClients(0)
                .withInterval(Duration.ofMillis(1))
                .withEventLoops(65)
                .withHost("a b")
                .build();

        assertThatThrownBy(() -> LoadRun.start(plan))
                .isInstanceOf(LoadException.class)
                .hasMessage("""
                        site 'my shop': use 1..64 letters, digits, . _ -
                        clients 0: must be 1..50000
                        event loops 65: must be 1..64
                        host: must be 1..255 printable characters, no spaces
                        interval 1 ms: must be 10..3600000 ms""");
    }

    @Test
    void shouldBecomeJsonWithUnits_whenJacksonWritesTheResult() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadResult result =
                    LoadRun.start(plan(server).withMaxRequests(10).build()).await();

            JsonNode json = JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(result));

            assertThat(json.path("totals").path("answered").asLong()).isEqualTo(10);
            assertThat(json.path("elapsedMillis").asDouble()).isPositive();
            assertThat(json.path("latency").path("p99Nanos").asLong()).isPositive();
            assertThat(json.path("end").asString()).isEqualTo("COUNT");
        }
    }

    private static LoadPlanBuilder plan(TestServer server) {
        return LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())));
    }

    @Test
    void shouldWaitForAllThatIsInTime_whenNoGraceIsGiven() {
        LoadPlanBuilder plan = LoadPlan.of(
                "shop",
                GeneratedTrace.mixed(1, 0, Catalogue.DEFAULT, 1),
                TargetSource.fixed(List.of(new Target("127.0.0.1", 1))));

        assertThat(plan.build().stopGrace()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plan.withAnswerWithin(Duration.ofSeconds(5)).build().stopGrace())
                .isEqualTo(Duration.ofSeconds(5));
    }
}
