package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterWorldTest {
    @Test
    void shouldBeSafeAndComeToRest_whateverFails() {
        ClusterCampaign.Summary summary = ClusterCampaign.run(0, 300);

        assertThat(summary.failures()).isEmpty();
        assertThat(summary.worlds()).isEqualTo(300);
        assertThat(summary.faults()).isGreaterThan(2_000);
        assertThat(summary.crashes()).isGreaterThan(200);
        assertThat(summary.completed()).isGreaterThan(300);
        assertThat(summary.undone()).as("moves that a fault made go back").isPositive();
        assertThat(summary.restless()).isLessThan(3);
    }

    /**
     * The file of another site, two equal splits in turn, a page believed after a pause of its reader; a tier that
     * kept idle nodes for having given once too much, an order by a word that was gone, and a page true again, a tier
     * with idle members that took what a promised site did not need: since there are more kinds of faults these seeds
     * are other worlds of the same clusters. Old figures under a fresh heartbeat (a page that hangs, a server that
     * ends), an operator's order for a site whose lock was not held, a tier whose last app node is gone, pages that
     * were false for a moment, agents that were asked to leave. Proxies that left while the edge of their site still
     * sent to them (6, 24), and one that went back to the file of the app that it had been before (658).
     */
    @ParameterizedTest
    @ValueSource(
            longs = {
                5113, 3156, 7860, 16842, 11064, 1526, 162, 245, 404, 3723, 2454, 2450, 1104, 209, 222, 61286, 6, 24, 658
            })
    void shouldStayMended_whereItOnceBroke(long seed) {
        assertThat(ClusterWorld.run(seed).violation()).isEmpty();
    }

    @Test
    void shouldBeTheSameWorld_whenTheSeedIsTheSame() {
        ClusterWorld.Report once = ClusterWorld.tell(7);

        assertThat(ClusterWorld.tell(7)).isEqualTo(once);
        assertThat(ClusterWorld.run(7).events()).as("nobody reads it").isEqualTo(once.events());
        assertThat(ClusterWorld.tell(8)).isNotEqualTo(once);
    }

    @Test
    void shouldTellWhatHappened_inOrderAndInWords() {
        ClusterWorld.Report told = ClusterWorld.tell(7);

        assertThat(told.timeline().getFirst()).contains("nodes node-1=", "site-1 priority", "faults [");
        assertThat(told.timeline())
                .anyMatch(line -> line.contains("FAULT "))
                .anyMatch(line -> line.contains("FAULTS STOP"))
                .anyMatch(line -> line.contains("server runs "))
                .anyMatch(line -> line.contains("asked for mix"));
        assertThat(told.timeline().stream().map(line -> Double.parseDouble(line.substring(0, 9))))
                .isSorted();
        assertThat(ClusterWorld.run(7).timeline()).isEmpty();
    }

    @Test
    void shouldRefuse_whenNoSeedIsAsked() {
        assertThatThrownBy(() -> ClusterCampaign.run(0, 0)).hasMessageContaining("at least 1");
    }
}
