package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.config.ClusterConfig;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Throughput of seven real httpd nodes with 10 % of a core each, 48 keep-alive clients, against the simulated ones. */
class SplitsTableTest {
    @ParameterizedTest(name = "{0} proxies, {1} dynamic: {2}/s")
    @CsvSource({
        "6, 0, 1581", "6, 1, 64", "6, 0.5, 110", "6, 0.2, 330",
        "4, 0, 1041", "4, 1, 185", "4, 0.5, 356", "4, 0.2, 894",
        "2, 0, 510", "2, 1, 305", "2, 0.5, 608", "2, 0.2, 586",
        "1, 0, 248", "1, 1, 372", "1, 0.5, 420", "1, 0.2, 290",
    })
    void shouldAgreeWithRealNodesWithinTenPercent(int proxies, double dynamicShare, double measured) {
        ClusterConfig config = Shops.cluster(proxies, 7 - proxies);
        Setup setup = Setup.of(config, Shops.HTTPD, List.of(Shops.mix(40_000, dynamicShare, 48)));

        Outcome outcome = Simulation.run(setup, Shops.rigid(config));

        assertThat(outcome.failed()).isZero();
        assertThat(outcome.perSecond()).isCloseTo(measured, within(0.1 * measured));
    }
}
