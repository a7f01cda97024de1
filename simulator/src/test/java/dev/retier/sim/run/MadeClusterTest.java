package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerKind;
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

    /** A reload may take 16 s by its own limits: a deadline of 2 s would undo what was about to succeed. */
    @Test
    void shouldHaveTheServersAndTheDeadlinesOfAKind() {
        ClusterConfig httpd = MadeCluster.ofKind(Shops.cluster(2, 5), ServerKind.HTTPD);

        assertThat(httpd.nodes())
                .allMatch(node -> node.server().kind() == ServerKind.HTTPD)
                .allMatch(node ->
                        httpd.move().switchDeadline().equals(node.server().longestSwitch()));
        assertThat(httpd.warnings()).noneMatch(warning -> warning.text().contains("-deadline of "));
        assertThat(Allocation.of(httpd)).isEqualTo(Allocation.of(2, 5));
        assertThat(MadeCluster.ofKind(httpd, ServerKind.WEB_NODE).nodes())
                .allMatch(node -> node.server().kind() == ServerKind.WEB_NODE);
    }

    @Test
    void shouldRefuseAKindThatIsOfOneTier() {
        assertThatThrownBy(() -> MadeCluster.ofKind(Shops.cluster(2, 5), ServerKind.HAPROXY))
                .hasMessageContaining("haproxy: it cannot be an app node");
    }
}
