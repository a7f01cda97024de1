package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.cluster.MoveSeen;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final ClusterConfig SEVEN = Shops.cluster(2, 5);
    private static final Setup LONG_BURSTS = Setup.of(SEVEN, Shops.HTTPD, List.of(Shops.bursts(16_384, 4, 48)));

    @Test
    void shouldBeTheSameToTheByte_whenRunAgain() {
        Outcome first = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());
        Outcome second = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());

        assertThat(second.moves()).isEqualTo(first.moves());
        assertThat(second.sizes()).isEqualTo(first.sizes());
        assertThat(second.reasons()).isEqualTo(first.reasons());
        assertThat(second.events()).isEqualTo(first.events());
        assertThat(second.seconds()).isEqualTo(first.seconds());
    }

    @Test
    void shouldDiffer_whenTheSeedDiffers() {
        Outcome first = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());
        Outcome second = Simulation.run(
                LONG_BURSTS.with(new Cluster.Settings(Delays.MEASURED, 0, 2)), new Approach.Reconfigured());

        assertThat(second.moves()).isNotEqualTo(first.moves());
    }

    @Test
    void shouldFollowLongBursts_betweenRigidAndOracle() {
        Outcome rigid = Simulation.run(LONG_BURSTS, Shops.rigid(SEVEN));
        Outcome reconfigured = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());
        Outcome oracle = Simulation.run(LONG_BURSTS, new Approach.Oracle());

        assertThat(reconfigured.perSecond()).isBetween(1.25 * rigid.perSecond(), oracle.perSecond());
        assertThat(reconfigured.failed()).isZero();
        assertThat(reconfigured.moves()).isNotEmpty().allMatch(MoveSeen::isComplete);
    }

    @Test
    void shouldAnswerEveryRequestOnce() {
        Outcome outcome = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());

        assertThat(outcome.done()).isEqualTo(4 * 16_384);
        assertThat(outcome.sites().getFirst().ledger().sentTotal()).isEqualTo(4 * 16_384);
        assertThat(outcome.isWhole()).isTrue();
    }

    @Test
    void shouldSpendALookOnTheServer_whenLooksCost() {
        Setup dear = LONG_BURSTS.with(new Cluster.Settings(Delays.MEASURED, 4_000, 1));

        Outcome free = Simulation.run(LONG_BURSTS, new Approach.Reconfigured());
        Outcome paid = Simulation.run(dear, new Approach.Reconfigured());

        assertThat(paid.perSecond()).isLessThan(0.95 * free.perSecond());
    }

    @Test
    void shouldEndAtTheLimit_whenTheLoadDoesNot() {
        Setup cut = new Setup(
                SEVEN,
                Shops.HTTPD,
                java.util.Map.of(),
                LONG_BURSTS.demands(),
                LONG_BURSTS.settings(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5));

        Outcome outcome = Simulation.run(cut, Shops.rigid(SEVEN));

        assertThat(outcome.isWhole()).isFalse();
        assertThat(outcome.seconds()).isCloseTo(5, within(0.1));
    }
}
