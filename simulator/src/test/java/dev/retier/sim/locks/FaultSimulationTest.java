package dev.retier.sim.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultSimulationTest {
    @Test
    void shouldKeepOneHolderPerTermAndRefuseStaleOrders_whenEverythingGoesWrong() {
        FaultCampaign.Summary summary = FaultCampaign.run(LockKind.MOVE, 0, 300);

        assertThat(summary.failures()).isEmpty();
        assertThat(summary.worlds()).isEqualTo(300);
        assertThat(summary.acquisitions()).isGreaterThan(3000);
        assertThat(summary.ordersRefused()).isPositive();
        assertThat(summary.crashes()).isGreaterThan(3000);
    }

    @Test
    void shouldNotReuseATerm_whenALateUndoCouldFreeIt() {
        assertThat(FaultSimulation.run(780).violation()).isEmpty();
    }

    @Test
    void shouldRefuseALateOrder_whenAnotherSitesHolderOfTheSameTermHasStamped() {
        assertThat(FaultSimulation.run(24).violation()).isEmpty();
        assertThat(FaultSimulation.run(103).violation()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"TICKET", "READ_WRITE"})
    void shouldNeverLetTwoActAndAlwaysGoOn_whenEverythingFails(LockKind lock) {
        FaultCampaign.Summary summary = FaultCampaign.run(lock, 0, 300);

        assertThat(summary.failures()).isEmpty();
        assertThat(summary.worlds()).isEqualTo(300);
        assertThat(summary.acquisitions()).isGreaterThan(3000);
        assertThat(summary.crashes()).isGreaterThan(2000);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeTheSameWorld_whenTheSeedIsTheSame(LockKind lock) {
        FaultSimulation.Report once = lock.run(7);

        assertThat(lock.run(7)).isEqualTo(once);
        assertThat(lock.run(8)).isNotEqualTo(once);
    }

    /** Whose driver once told grants after a pause. */
    @ParameterizedTest
    @ValueSource(longs = {13262, 23478})
    void shouldTellGrantsInTheirOrder_whenHoldersPause(long seed) {
        assertThat(LockKind.TICKET.run(seed).violation()).isEmpty();
    }

    @Test
    void shouldRefuse_whenNoSeedIsAsked() {
        assertThatThrownBy(() -> FaultCampaign.run(LockKind.MOVE, 0, 0)).hasMessageContaining("at least 1");
    }
}
