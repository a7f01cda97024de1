package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ClusterConfig;
import org.junit.jupiter.api.Test;

class MadeClusterTest {
    @Test
    void shouldKeepTheSharesOfTheTiers_whenResized() {
        ClusterConfig seven = Shops.cluster(2, 5);

        assertThat(Allocation.of(MadeCluster.resized(seven, 14))).isEqualTo(Allocation.of(4, 10));
        assertThat(Allocation.of(MadeCluster.resized(seven, 7))).isEqualTo(Allocation.of(2, 5));
        assertThat(Allocation.of(MadeCluster.resized(seven, 2))).isEqualTo(Allocation.of(1, 1));
        assertThat(MadeCluster.resized(seven, 14).nodes())
                .extracting(node -> node.id().value())
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldRefuseATierWithoutANode() {
        assertThatThrownBy(() -> MadeCluster.resized(Shops.cluster(2, 5), 1)).hasMessageContaining("each needs one");
    }
}
