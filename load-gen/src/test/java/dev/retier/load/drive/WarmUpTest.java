package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.report.LoadResult;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WarmUpTest {
    @Test
    void shouldSendNothingToTheTargets_whenWarmedUpBeforeARun() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            WarmUp.run(Duration.ofMillis(100));
            assertThat(server.accepted()).isZero();

            LoadResult result = LoadRun.start(LoadPlan.of(
                                    "shop",
                                    GeneratedTrace.mixed(500, 0.5, Catalogue.DEFAULT, 1),
                                    TargetSource.fixed(List.of(server.target())))
                            .withClients(4)
                            .build())
                    .await();

            assertThat(server.requests()).isEqualTo(500);
            assertThat(result.health().busiestLoopShare()).isGreaterThan(0).isLessThanOrEqualTo(1);
        }
    }
}
