package dev.retier.load.drive;

import static dev.retier.load.drive.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.measure.Interval;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.load.trace.Catalogue;
import dev.retier.load.trace.GeneratedTrace;
import dev.retier.load.trace.Trace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class OpenLoopTest {
    private static final Trace ENDLESS = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldHoldTheRate_whenTheServerKeepsUp() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(one.target(), two.target())))
                    .withPacing(Pacing.Rates.constant(500))
                    .withClients(16)
                    .withEventLoops(2)
                    .withMaxRequests(1000)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.COUNT);
            assertThat(result.totals().answered()).isEqualTo(1000);
            assertThat(result.elapsedMillis()).isBetween(1_990.0, 3_500.0);
            assertThat(result.lateness().count()).isEqualTo(1000);
            assertThat(result.targets())
                    .hasSize(2)
                    .extracting(TargetTotals::answered)
                    .allMatch(count -> count > 300);
        }
    }

    /**
     * A server that stands still for F of a run of T delays the requests due in that time by up to F, evenly: the 99th
     * percentile of the response is F - T/100. The service time hardly shows it.
     */
    @Test
    void shouldShowWhatUsersWouldSee_whenTheServerFreezes() throws InterruptedException {
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

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().answered()).isEqualTo(1500);
            assertThat(result.latency().p99Nanos() / 1e6).isBetween(0.9 * 970, 1.1 * 970);
            assertThat(result.service().p99Nanos() / 1e6).isLessThan(100);
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
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    @Test
    void shouldFollowTheTracesTime_whenSpedUp() throws InterruptedException {
        Trace trace = GeneratedTrace.mixed(1000, 0, Catalogue.DEFAULT, 1);
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.TraceTime(2))
                    .withInterval(Duration.ofMillis(50))
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.end()).isEqualTo(EndReason.TRACE_END);
            assertThat(result.elapsedMillis()).isBetween(499.0, 2_000.0);
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
                    .withKeepAlive(false)
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
    void shouldPause_whenClientsThink() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.ClosedLoop(20_000_000L))
                    .withClients(2)
                    .withMaxRequests(20)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.elapsedMillis()).isGreaterThanOrEqualTo(180);
            assertThat(result.lateness().count()).isZero();
        }
    }
}
