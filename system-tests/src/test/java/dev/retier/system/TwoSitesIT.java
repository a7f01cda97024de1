package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.report.LoadResult;
import dev.retier.load.target.source.AgentAccess;
import dev.retier.load.target.source.TargetSource;
import dev.retier.state.Tier;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two sites with priorities and a guarantee share nodes; web-nodes, agents, the shared state and load are all real. */
class TwoSitesIT {
    /** A few seconds where nobody else computes; a starved machine's clients do not always press a tier for T. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long REQUESTS = 1_000_000;
    private static final int CLIENTS = 24;

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void shouldTakeForTheGuaranteeAndGiveBack_whenTheHigherSitesBurstComesAndGoes() throws Exception {
        try (TwoSites sites = TwoSites.start(directory);
                LoadRun news = LoadRun.start(plan(sites, TwoSites.NEWS))) {
            LoadResult shopResult;
            try (LoadRun shop = LoadRun.start(plan(sites, TwoSites.SHOP))) {
                await().atMost(PATIENCE).until(() -> sites.size(TwoSites.SHOP, Tier.APP) == 3);
                // Its guarantee of 220/s needs three apps; the lower site keeps its last one.
                assertThat(sites.size(TwoSites.NEWS, Tier.APP)).isEqualTo(1);
                shop.stop();
                shopResult = shop.await();
            }
            await().atMost(PATIENCE).until(() -> sites.size(TwoSites.NEWS, Tier.APP) == 3);
            news.stop();
            LoadResult newsResult = news.await();

            assertThat(List.of(shopResult, newsResult)).allSatisfy(result -> {
                assertThat(result.totals().failed()).isZero();
                assertThat(result.totals().answered()).isPositive();
            });
            List<MoveEvent> moves = sites.moves();
            assertThat(moves).extracting(MoveEvent::phase).doesNotContain(MovePhase.ROLLED_BACK);
            assertThat(moves)
                    .filteredOn(event -> event.phase() == MovePhase.ACTIVE)
                    .extracting(event -> List.of(event.from(), event.to()))
                    .startsWith(
                            List.of(sites.role(TwoSites.NEWS, Tier.APP), sites.role(TwoSites.SHOP, Tier.APP)),
                            List.of(sites.role(TwoSites.NEWS, Tier.APP), sites.role(TwoSites.SHOP, Tier.APP)))
                    .contains(List.of(sites.role(TwoSites.SHOP, Tier.APP), sites.role(TwoSites.NEWS, Tier.APP)));
        }
    }

    /** Dynamic requests in a closed loop: as many as the site's apps can answer. */
    private static LoadPlan plan(TwoSites sites, String site) {
        return LoadPlan.of(
                        site,
                        GeneratedTrace.mixed(REQUESTS, 1, Catalogue.DEFAULT, 1),
                        TargetSource.agents(sites.agentUrls(), AgentAccess.OPEN))
                .withClients(CLIENTS)
                .withDuration(LONG)
                .build();
    }
}
