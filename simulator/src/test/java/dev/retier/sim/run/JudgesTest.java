package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.model.Split;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Those whom the agents are held against. */
class JudgesTest {
    private static final ClusterConfig SEVEN = Shops.cluster(2, 5);
    private static final Setup LONG = Setup.of(SEVEN, Shops.HTTPD, List.of(Shops.bursts(8_192, 4, 48)));

    private static Outcome prompt(Setup setup, Duration knows, Duration move) {
        return Simulation.run(setup, new Approach.Prompt(knows, move));
    }

    /** The arithmetic of the model is good to some 10 %. */
    @Test
    void shouldFindByTryingAboutWhatTheModelSays_forEverySplit() {
        TriedRates tried = TriedRates.of(LONG);

        Split.of(7).forEach(split -> {
            for (double share : new double[] {0, 0.2, 0.5, 1}) {
                double said = Shops.HTTPD.requestsPerSecond(split, share);
                assertThat(tried.perSecond(split, share))
                        .as("%s %s", split, share)
                        .isCloseTo(said, within(0.12 * said));
            }
        });
    }

    /** But for its caches, which are cold where the oracle's are full. */
    @Test
    void shouldBeTheOracle_whenItKnowsAtOnceAndMovesCostNothing() {
        Outcome oracle = Simulation.run(LONG, new Approach.Oracle());

        assertThat(prompt(LONG, Duration.ZERO, Duration.ZERO).seconds())
                .isCloseTo(oracle.seconds(), within(0.05 * oracle.seconds()));
    }

    @Test
    void shouldPayForMovesAndForKnowingLate() {
        double free = prompt(LONG, Duration.ZERO, Duration.ZERO).seconds();
        double late = prompt(LONG, Duration.ofSeconds(1), Duration.ZERO).seconds();
        double slow = prompt(LONG, Duration.ofSeconds(1), Duration.ofSeconds(1)).seconds();

        assertThat(late).isGreaterThan(free + 1);
        assertThat(slow).isGreaterThan(late + 1);
    }

    @Test
    void shouldMoveAllAtOnce_andServeByTwoAtLeast() {
        Outcome outcome = prompt(LONG, Duration.ofSeconds(1), Duration.ofMillis(100));

        List<MoveSeen> first = outcome.moves().subList(0, 4);
        assertThat(first).allSatisfy(move -> {
            assertThat(move.orderedSeconds()).isEqualTo(1);
            assertThat(move.endedSeconds()).isCloseTo(1.1, within(1e-6));
        });
        assertThat(outcome.failed()).isZero();
    }

    @Test
    void shouldMoveNothing_whenEachBurstIsOverBeforeItIsKnown() {
        Setup brief = Setup.of(SEVEN, Shops.HTTPD, List.of(Shops.bursts(100, 40, 48)));

        assertThat(prompt(brief, Duration.ofSeconds(1), Duration.ZERO).moves()).isEmpty();
    }
}
