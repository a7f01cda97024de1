package dev.retier.load.drive;

import static dev.retier.load.drive.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.Target;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LoadRunTargetsTest {
    private static final Trace ENDLESS = GeneratedTrace.mixed(1_000_000_000L, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldFailNothingAndStayEven_whenTheListChangesInMidRun() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start();
                TestServer three = TestServer.start()) {
            List<TestServer> all = List.of(one, two, three);
            ManualTargets targets = new ManualTargets(new TargetList(1, "shop", List.of(one.target(), two.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withClients(8)
                    .withEventLoops(2)
                    .build();

            try (LoadRun run = LoadRun.start(plan)) {
                await(() -> connections(all).equals(List.of(4, 4, 0)));
                targets.publish(new TargetList(2, "shop", List.of(one.target(), two.target(), three.target())));
                await(() -> connections(all).stream().allMatch(count -> count == 2 || count == 3));
                targets.publish(new TargetList(1, "shop", List.of(one.target())));
                targets.publish(new TargetList(3, "shop", List.of()));
                targets.publish(new TargetList(3, "shop", List.of(three.target())));
                await(() -> connections(all).equals(List.of(0, 0, 8)));
                long before = three.requests();
                await(() -> three.requests() > before + 100);
                assertThat(run.snapshot().totals().failed()).isZero();
            }

            assertThat(one.requests()).isPositive();
            assertThat(all).allMatch(server -> server.cutInFlight() == 0);
        }
    }

    @Test
    void shouldCountExactlyWhatTheServersSaw_whenTheListChangesAllTheTime() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            ManualTargets targets = new ManualTargets(new TargetList(0, "shop", List.of(one.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withClients(9)
                    .withMaxRequests(20_000)
                    .build();
            LoadRun run = LoadRun.start(plan);
            long epoch = 1;
            while (!run.await(Duration.ofMillis(5))) {
                Target next = epoch % 2 == 0 ? one.target() : two.target();
                targets.publish(new TargetList(epoch++, "shop", List.of(next)));
            }

            LoadResult result = run.result();
            assertThat(result.end()).isEqualTo(EndReason.COUNT);
            assertThat(result.totals().answered()).isEqualTo(20_000);
            assertThat(one.requests() + two.requests()).isEqualTo(20_000);
            assertThat(result.following().changes()).isBetween(epoch - 1, epoch);
        }
    }

    @Test
    void shouldThinkForTheWholeTime_whenTheListChangesMeanwhile() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            ManualTargets targets = new ManualTargets(new TargetList(0, "shop", List.of(one.target())));
            LoadPlan plan = LoadPlan.of("shop", ENDLESS, targets)
                    .withPacing(new Pacing.ClosedLoop(200_000_000L))
                    .withClients(1)
                    .withMaxRequests(3)
                    .build();
            long begunNanos = System.nanoTime();
            LoadRun run = LoadRun.start(plan);
            long epoch = 1;
            while (!run.await(Duration.ofMillis(5))) {
                Target next = epoch % 2 == 0 ? one.target() : two.target();
                targets.publish(new TargetList(epoch++, "shop", List.of(next)));
            }

            assertThat(run.result().totals().answered()).isEqualTo(3);
            assertThat(System.nanoTime() - begunNanos).isGreaterThanOrEqualTo(2 * 200_000_000L);
        }
    }

    @Test
    void shouldCountTheLostAndGoOn_whenAServerDiesInMidRun() throws InterruptedException {
        try (TestServer survivor = TestServer.start();
                TestServer victim = TestServer.start()) {
            LoadPlan plan = LoadPlan.of(
                            "shop", ENDLESS, TargetSource.fixed(List.of(survivor.target(), victim.target())))
                    .withClients(10)
                    .build();
            LoadRun run = LoadRun.start(plan);
            await(() -> victim.requests() > 200);

            victim.die();
            await(() -> survivor.connections() == 10);
            long before = survivor.requests();
            await(() -> survivor.requests() > before + 500);
            run.stop();
            LoadResult result = run.await();

            Totals totals = result.totals();
            assertThat(result.end()).isEqualTo(EndReason.STOPPED);
            assertThat(totals.failures().keySet())
                    .isSubsetOf(FailureKind.RESET, FailureKind.TRUNCATED_BODY, FailureKind.CONNECT_REFUSED);
            assertThat(totals.failed()).isBetween(1L, 40L);
            assertThat(totals.sent()).isEqualTo(totals.answered() + totals.failed() + totals.dropped());
            assertThat(result.targets().stream()
                            .filter(target ->
                                    target.target().equals(survivor.target().toString())))
                    .allMatch(target -> target.failed() == 0);
        }
    }

    @Test
    void shouldReturnToATarget_whenItListensAgain() throws Exception {
        int port;
        try (ServerSocket reserved = new ServerSocket(0)) {
            port = reserved.getLocalPort();
        }
        try (TestServer one = TestServer.start()) {
            LoadPlan plan = LoadPlan.of(
                            "shop", ENDLESS, TargetSource.fixed(List.of(one.target(), new Target("127.0.0.1", port))))
                    .withClients(4)
                    .build();
            try (LoadRun run = LoadRun.start(plan)) {
                await(() -> run.snapshot().totals().failures().getOrDefault(FailureKind.CONNECT_REFUSED, 0L) > 0);
                try (TestServer late = TestServer.start(port)) {
                    await(() -> late.connections() == 2 && one.connections() == 2);
                    assertThat(late.requests()).isPositive();
                }
            }
        }
    }

    @Test
    void shouldRefuse_whenNoTargetListComesInTime() {
        LoadPlan plan = LoadPlan.of("shop", ENDLESS, new ManualTargets(new TargetList(1, "news", List.of())))
                .withTargetWait(Duration.ofMillis(30))
                .build();

        assertThatThrownBy(() -> LoadRun.start(plan))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("no target list from manual within 30 ms");
    }

    private static List<Integer> connections(List<TestServer> servers) {
        return servers.stream().map(TestServer::connections).toList();
    }

    @Test
    void shouldSendAgainAndCount_whenRetriesAreAskedFor() throws Exception {
        int port;
        try (ServerSocket reserved = new ServerSocket(0)) {
            port = reserved.getLocalPort();
        }
        try (TestServer one = TestServer.start()) {
            LoadPlan plan = LoadPlan.of(
                            "shop", ENDLESS, TargetSource.fixed(List.of(one.target(), new Target("127.0.0.1", port))))
                    .withClients(4)
                    .withRetries(3)
                    .withMaxRequests(200)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().failed()).isZero();
            assertThat(result.totals().answered()).isEqualTo(200);
            assertThat(result.retries()).isPositive();
            assertThat(one.requests()).isEqualTo(200);
        }
    }

    @Test
    void shouldStartTogether_whenSeveralSitesAreLoaded() throws InterruptedException {
        try (TestServer one = TestServer.start();
                TestServer two = TestServer.start()) {
            List<LoadRun> runs = LoadRun.startAll(List.of(
                    LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(one.target())))
                            .withMaxRequests(100)
                            .withHost("shop.example")
                            .build(),
                    LoadPlan.of("news", ENDLESS, TargetSource.fixed(List.of(two.target())))
                            .withMaxRequests(50)
                            .build()));

            LoadResult shop = runs.getFirst().await();
            LoadResult news = runs.getLast().await();

            assertThat(shop.totals().answered()).isEqualTo(100);
            assertThat(news.totals().answered()).isEqualTo(50);
            assertThat(one.requests()).isEqualTo(100);
            assertThat(Math.abs(shop.startedAtEpochMillis() - news.startedAtEpochMillis()))
                    .isLessThan(1000);
        }
    }

    @Test
    void shouldStartNone_whenOnePlanIsBad() {
        LoadPlan good = LoadPlan.of("shop", ENDLESS, TargetSource.fixed(List.of(new Target("h", 1))))
                .build();
        LoadPlan bad = LoadPlan.of("news", ENDLESS, TargetSource.fixed(List.of(new Target("h", 1))))
                .withRetries(9)
                .build();

        assertThatThrownBy(() -> LoadRun.startAll(List.of(good, bad)))
                .isInstanceOf(LoadException.class)
                .hasMessage("site news: retries 9: must be 0..5");
    }
}
