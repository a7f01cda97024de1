package dev.retier.load.drive;

import static dev.retier.load.drive.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.load.drive.RecordedRun.Line;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class OpenLoopTest {
    private static final Trace ENDLESS = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldHoldTheRate_whenTheServerKeepsUp(@TempDir Path folder) throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(one.target(), two.target())))
                    .withPacing(Pacing.Rates.constant(500))
                    .withClients(16)
                    .withEventLoops(2)
                    .withMaxRequests(1000)
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            LoadResult result = run.result();
            assertThat(result.end()).isEqualTo(EndReason.COUNT);
            assertThat(result.totals().answered()).isEqualTo(1000);
            assertThat(run.lines()).extracting(Line::due).isEqualTo(every(2_000_000, 1000));
            assertThat(run.lines()).allMatch(line -> line.sent() >= line.due() + line.own());
            assertThat(median(run.lines(), Line::own)).isLessThan(20_000_000);
            assertThat(result.lateness().count()).isEqualTo(1000);
            assertThat(result.targets())
                    .hasSize(2)
                    .extracting(TargetTotals::answered)
                    .allMatch(count -> count > 300);
        }
    }

    /**
     * At this rate the next request is due within the time that setting a timer takes. Nearly all are dropped, at the
     * very instant at which they count as due.
     */
    @Test
    void shouldSendNothingBeforeItIsDue_whenRequestsAreDueCloseToEachOther(@TempDir Path folder)
            throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(200_000))
                    .withMaxQueued(1)
                    .withMaxRequests(100_000)
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            assertThat(run.lines()).hasSize(100_000).allMatch(line -> line.sent() >= line.due() + line.own());
        }
    }

    @Test
    void shouldSendWhatIsDueBeforeTheEnd_whenADurationIsGiven(@TempDir Path folder) throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(1000))
                    .withEventLoops(2)
                    .withDuration(Duration.ofMillis(300))
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            assertThat(run.result().end()).isEqualTo(EndReason.DURATION);
            assertThat(run.lines()).extracting(Line::due).isEqualTo(every(1_000_000, 300));
            assertThat(run.result().totals().sent()).isEqualTo(300);
            assertThat(run.result().totals().dropped()).isZero();
        }
    }

    /**
     * A server that stands still for F of a run of T delays the requests due in that time by up to F, evenly: the 99th
     * percentile of the response is F - T/100, or more on a machine with other work. The service time hardly shows it.
     */
    @Test
    void shouldShowWhatUsersWouldSee_whenTheServerFreezes(@TempDir Path folder) throws InterruptedException {
        AtomicLong served = new AtomicLong();
        CountDownLatch never = new CountDownLatch(1);
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> {
                if (served.incrementAndGet() == 500) {
                    assertThat(never.await(1, TimeUnit.SECONDS)).isFalse();
                }
                return TestServer.answerOk(line, socket);
            });
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(500))
                    .withClients(1)
                    .withMaxRequests(1500)
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            LoadResult result = run.result();
            assertThat(result.totals().answered()).isEqualTo(1500);
            assertThat(run.lines()).extracting(Line::due).isEqualTo(every(2_000_000, 1500));
            long[] waited = run.lines().stream()
                    .mapToLong(line -> line.end() - line.due())
                    .sorted()
                    .toArray();
            assertThat((double) result.latency().p99Nanos())
                    .isCloseTo((double) waited[1484], within(waited[1484] * 1e-3));
            assertThat(result.latency().p99Nanos() / 1e6).isGreaterThan(0.9 * 970);
            assertThat(result.service().p99Nanos()).isLessThan(result.latency().p99Nanos() / 2);
            assertThat(result.latencyMeaning()).isEqualTo(LoadResult.RESPONSE_TIME);
        }
    }

    @Test
    void shouldDropAndCount_whenTheQueueIsFull() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving(server::silence);
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(10_000))
                    .withClients(2)
                    .withMaxQueued(5)
                    .withMaxRequests(1000)
                    .withStopGrace(Duration.ofMillis(20))
                    .build();
            LoadRun run = LoadRun.start(plan);
            await(() -> run.snapshot().totals().sent() == 1000);
            run.stop();
            LoadResult result = run.await();

            assertThat(result.totals().sent()).isEqualTo(1000);
            assertThat(result.totals().dropped()).isEqualTo(1000);
            assertThat(result.latency().count()).isEqualTo(1000);
            assertThat(result.latency().p50Nanos())
                    .as("as if they had timed out")
                    .isGreaterThan(9_000_000_000L);
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    /** An answer is an answer: whatever it says, the next request goes out at its time. */
    @Test
    void shouldNotPause_whenAThirdOfTheAnswersSayNotFound() throws InterruptedException {
        AtomicLong served = new AtomicLong();
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> served.incrementAndGet() % 3 == 0
                    ? TestServer.send(socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    : TestServer.answerOk(line, socket));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(500))
                    .withClients(2)
                    .withMaxRequests(600)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().failed()).isEqualTo(200);
            assertThat(server.accepted()).isEqualTo(2);
            assertThat(result.lateness().p50Nanos()).isLessThan(5_000_000);
            assertThat(result.latency().p50Nanos()).isLessThan(5_000_000);
        }
    }

    /** The second request waits for the only client, which rests after its connection was cut. */
    @Test
    void shouldSayThatItWaitedForItself_whenConnectionsFail() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            server.behaving((_, _) -> false);
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(Pacing.Rates.constant(500))
                    .withClients(1)
                    .withMaxRequests(12)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().failed()).isEqualTo(12);
            assertThat(result.lateRequests()).isGreaterThan(6);
            assertThat(result.health().warnings())
                    .anyMatch(warning -> warning.contains("waited 10 ms or more for clients that rested"));
        }
    }

    @Test
    void shouldGoOn_whenTheTraceIsSilentForLongerThanTheStallLimit(@TempDir Path folder)
            throws InterruptedException, IOException {
        Path log = Files.writeString(folder.resolve("log"), "0 a 1\n0.1 b 1\n0.9 c 1\n");
        Trace trace = TraceFiles.of(List.of(log), ReadOptions.FOR_WEB_NODE);
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.TraceTime(1))
                    .withStallLimit(Duration.ofMillis(300))
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.TRACE_END);
            assertThat(result.totals().answered()).isEqualTo(3);
        }
    }

    @Test
    void shouldEndInTime_whenTheTraceSaysNoMore() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (TestServer server = TestServer.start()) {
            for (Pacing pacing : List.of(new Pacing.TraceTime(1), Pacing.CLOSED, new Pacing.Sessions(0))) {
                LoadPlan plan = LoadPlan.of("shop", new Silent(3, never), TargetSource.fixed(List.of(server.target())))
                        .withPacing(pacing)
                        .withClients(2)
                        .withDuration(Duration.ofMillis(400))
                        .build();

                LoadResult result = LoadRun.start(plan).await();

                assertThat(result.end()).isEqualTo(EndReason.DURATION);
                assertThat(result.totals().answered()).isEqualTo(3);
                assertThat(result.elapsedMillis()).isLessThan(5_000);
                assertThat(result.latency().maxNanos()).isLessThan(400_000_000);
            }
        } finally {
            never.countDown();
        }
    }

    /** A pipe with so many requests in it, and somebody at the other end who says nothing more. */
    private record Silent(int requests, CountDownLatch end) implements Trace {
        @Override
        public String name() {
            return "silent";
        }

        @Override
        public EventStream open() {
            EventStream few =
                    GeneratedTrace.mixed(requests, 0, Catalogue.DEFAULT, 1).open();
            return new EventStream() {
                @Override
                public @Nullable TraceEvent next() {
                    TraceEvent event = few.next();
                    if (event == null) {
                        try {
                            end.await();
                        } catch (InterruptedException closed) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return event;
                }

                @Override
                public ReadReport report() {
                    return few.report();
                }

                @Override
                public void close() {
                    few.close();
                }
            };
        }

        @Override
        public OptionalLong eventCount() {
            return OptionalLong.empty();
        }
    }

    @Test
    void shouldFollowTheTracesTime_whenSpedUp(@TempDir Path folder) throws InterruptedException {
        Trace trace = GeneratedTrace.mixed(1000, 0, Catalogue.DEFAULT, 1);
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.TraceTime(2))
                    .withInterval(Duration.ofMillis(50))
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            LoadResult result = run.result();
            assertThat(result.end()).isEqualTo(EndReason.TRACE_END);
            assertThat(run.lines()).extracting(Line::due).isEqualTo(every(500_000, 1000));
            assertThat(run.lines()).allMatch(line -> line.sent() >= line.due() + line.own());
            assertThat(median(run.lines(), Line::own)).isLessThan(20_000_000);
            assertThat(result.intervals().stream().mapToLong(Interval::sent).sum())
                    .isEqualTo(1000);
        }
    }

    @Test
    void shouldLeaveIdleConnections_whenTheirTargetIsRemoved() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            ManualTargets targets = new ManualTargets(new TargetList(1, "shop", List.of(one.target(), two.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withPacing(new Pacing.Rates(
                            List.of(new Pacing.Rates.Step(1000, 200_000_000L), new Pacing.Rates.Step(0.001, 1))))
                    .withClients(4)
                    .build();
            try (LoadRun run = LoadRun.start(plan)) {
                await(() -> one.connections() == 2 && two.connections() == 2);

                targets.publish(new TargetList(2, "shop", List.of(two.target())));

                await(() -> one.connections() == 0);
                assertThat(run.snapshot().totals().failed()).isZero();
            }
        }
    }

    @Test
    void shouldConnectForEachRequest_whenConnectionsAreNotKept() throws InterruptedException {
        AtomicLong asked = new AtomicLong();
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> {
                asked.incrementAndGet();
                return TestServer.answerOk(line, socket);
            });
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withConnections(Connections.NEW)
                    .withClients(2)
                    .withMaxRequests(20)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().answered()).isEqualTo(20);
            assertThat(asked).hasValue(20);
            assertThat(server.accepted()).isEqualTo(20);
        }
    }

    @Test
    void shouldPause_whenClientsThink(@TempDir Path folder) throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.ClosedLoop(20_000_000L))
                    .withClients(1)
                    .withMaxRequests(20)
                    .build();

            RecordedRun run = RecordedRun.of(plan, folder);

            long[] thought = new long[19];
            for (int i = 0; i < thought.length; i++) {
                thought[i] = run.lines().get(i + 1).due() - run.lines().get(i).end();
            }
            Arrays.sort(thought);
            assertThat(thought[0]).as(run.lines().toString()).isGreaterThanOrEqualTo(20_000_000);
            assertThat(thought[9]).isLessThan(60_000_000);
            assertThat(run.result().lateness().count()).isZero();
        }
    }

    private static List<Long> every(long nanos, int count) {
        return LongStream.range(0, count).mapToObj(i -> i * nanos).toList();
    }

    private static long median(List<Line> lines, ToLongFunction<Line> what) {
        return lines.stream()
                .mapToLong(what)
                .sorted()
                .skip(lines.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
