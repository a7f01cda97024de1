package dev.retier.state.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultSimulationTest {
    @Test
    void shouldKeepOneHolderPerTermAndRefuseStaleOrders_whenEverythingGoesWrong() {
        FaultCampaign.Summary summary = FaultCampaign.run(0, 300);

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

    @Test
    void shouldBeTheSameWorld_whenTheSeedIsTheSame() {
        assertThat(FaultSimulation.run(7)).isEqualTo(FaultSimulation.run(7));
    }

    @Test
    void shouldRefuse_whenNoSeedIsAsked() {
        assertThatThrownBy(() -> FaultCampaign.run(0, 0)).hasMessageContaining("at least 1");
    }
}
