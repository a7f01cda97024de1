package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import org.junit.jupiter.api.Test;

class RivalsTest {
    private static final Identity ELDER = new Identity(new NodeId(1), 0xA);
    private static final Identity YOUNGER = new Identity(new NodeId(1), 0xB);

    private final Rivals rivals = new Rivals();

    @Test
    void shouldSayNothingAndLetInTheNewest_whenAnAgentIsRestarted() {
        assertThat(rivals.stands(ELDER, "10.0.0.1")).isEmpty();
        assertThat(rivals.isRefused(YOUNGER)).isFalse();
        assertThat(rivals.stands(YOUNGER, "10.0.0.1")).isEmpty();
    }

    @Test
    void shouldTellBothOnceAndKeepTheElder_whenItComesBackBesideTheYounger() {
        rivals.stands(ELDER, "10.0.0.1");
        rivals.stands(YOUNGER, "10.0.0.9");

        assertThat(rivals.stands(ELDER, "10.0.0.1"))
                .hasValueSatisfying(line -> assertThat(line)
                        .contains(
                                "node-1", "incarnation a at 10.0.0.1, which stays", "b at 10.0.0.9, which is refused"));
        assertThat(rivals.isRefused(YOUNGER)).isTrue();
        assertThat(rivals.isRefused(ELDER)).isFalse();
        assertThat(rivals.isRefused(new Identity(new NodeId(1), 0xC)))
                .as("a restart of either")
                .isFalse();
    }

    @Test
    void shouldLetInTheYounger_whenTheElderIsGone() {
        rivals.stands(ELDER, "10.0.0.1");
        rivals.stands(YOUNGER, "10.0.0.9");
        rivals.stands(ELDER, "10.0.0.1");
        rivals.gone(ELDER);

        assertThat(rivals.isRefused(YOUNGER)).isFalse();
        assertThat(rivals.stands(YOUNGER, "10.0.0.9")).isEmpty();
    }

    @Test
    void shouldSayNothing_whenTheSameAgentConnectsAgainAndAgain() {
        for (int i = 0; i < 4; i++) {
            assertThat(rivals.stands(ELDER, "10.0.0.1")).isEmpty();
        }
        assertThat(rivals.isRefused(ELDER)).isFalse();
    }

    @Test
    void shouldRememberFourReplacedAgents_whenOneNodeIsRestartedOften() {
        for (int incarnation = 1; incarnation <= 5; incarnation++) {
            assertThat(stands(incarnation)).isFalse();
        }
        assertThat(stands(1)).as("the fourth before the last").isTrue();
        for (int incarnation = 11; incarnation <= 15; incarnation++) {
            assertThat(stands(incarnation)).isFalse();
        }
        assertThat(stands(1)).as("the fifth is forgotten").isFalse();
    }

    /** Whether a line is written as that incarnation is proven. */
    private boolean stands(long incarnation) {
        return rivals.stands(new Identity(new NodeId(1), incarnation), "10.0.0.1")
                .isPresent();
    }
}
