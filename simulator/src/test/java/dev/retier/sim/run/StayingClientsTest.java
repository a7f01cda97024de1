package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.service.Demand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that keep their connections while their proxy is there, as pools and browsers behind DNS do. */
class StayingClientsTest {
    private static final ClusterConfig SEVEN = Shops.cluster(2, 5);

    /** It was 0.60 while proxies kept what they had: of six proxies two answered. */
    @ParameterizedTest
    @CsvSource({"16384, 0.90", "65536, 0.95"})
    void shouldComeNearTheOracle_whenTheTierGrows(int burst, double share) {
        Demand demand = Shops.staying(Shops.bursts(burst, 4, 48));
        Setup setup = Setup.of(SEVEN, Shops.HTTPD, List.of(demand));

        Outcome oracle = Simulation.run(setup, new Approach.Oracle());
        Outcome reconfigured = Simulation.run(setup, new Approach.Reconfigured());

        assertThat(reconfigured.perSecond()).isGreaterThan(share * oracle.perSecond());
        assertThat(reconfigured.failed()).isZero();
    }

    /** In an even tier nothing is let go, so nothing changes. */
    @Test
    void shouldBeAsFastAsClientsThatSpread_whenNothingMoves() {
        Demand spreading = Shops.mix(20_000, 0.2, 48);
        Setup spread = Setup.of(SEVEN, Shops.HTTPD, List.of(spreading));
        Setup stay = Setup.of(SEVEN, Shops.HTTPD, List.of(Shops.staying(spreading)));

        Outcome first = Simulation.run(spread, Shops.rigid(SEVEN));
        Outcome second = Simulation.run(stay, Shops.rigid(SEVEN));

        assertThat(second.seconds()).isEqualTo(first.seconds());
    }
}
