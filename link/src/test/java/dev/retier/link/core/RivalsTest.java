package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RivalsTest {
    private static final Identity ELDER = new Identity(new NodeId(1), 0xA);
    private static final Identity YOUNGER = new Identity(new NodeId(1), 0xB);

    private final Rivals rivals = new Rivals();

    @Test
    void shouldSayNothingAndLetInTheNewest_whenAnAgentIsRestarted() {
        assertThat(rivals.stands(ELDER, "10.0.0.1", 0)).isEmpty();
        assertThat(rivals.isRefused(YOUNGER)).isFalse();
        assertThat(rivals.stands(YOUNGER, "10.0.0.1", 1)).isEmpty();
    }

    @Test
    void shouldTellBothOnceAndKeepTheElder_whenItComesBackBesideTheYounger() {
        rivals.stands(ELDER, "10.0.0.1", 0);
        rivals.stands(YOUNGER, "10.0.0.9", 1);

        assertThat(rivals.stands(ELDER, "10.0.0.1", 2))
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
        rivals.stands(ELDER, "10.0.0.1", 0);
        rivals.stands(YOUNGER, "10.0.0.9", 1);
        rivals.stands(ELDER, "10.0.0.1", 2);
        rivals.gone(ELDER);

        assertThat(rivals.isRefused(YOUNGER)).isFalse();
        assertThat(rivals.stands(YOUNGER, "10.0.0.9", 3)).isEmpty();
    }

    @Test
    void shouldTellAgainOnlyAfterAnHour_whenTheyGoOn() {
        long hour = TimeUnit.HOURS.toNanos(1);
        rivals.stands(ELDER, "10.0.0.1", 0);
        rivals.stands(YOUNGER, "10.0.0.9", 0);
        assertThat(rivals.stands(ELDER, "10.0.0.1", 0)).isPresent();
        assertThat(rivals.stands(YOUNGER, "10.0.0.9", hour - 1)).isEmpty();
        assertThat(rivals.stands(ELDER, "10.0.0.1", hour)).isPresent();
    }

    @Test
    void shouldSayNothing_whenTheSameAgentConnectsAgainAndAgain() {
        for (int i = 0; i < 4; i++) {
            assertThat(rivals.stands(ELDER, "10.0.0.1", i)).isEmpty();
        }
        assertThat(rivals.isRefused(ELDER)).isFalse();
    }

    @Test
    void shouldRememberFourReplacedAgents_whenOneNodeIsRestartedOften() {
        for (int incarnation = 1; incarnation <= 5; incarnation++) {
            assertThat(stands(incarnation, incarnation)).isFalse();
        }
        assertThat(stands(1, 6)).as("the fourth before the last").isTrue();
        for (int incarnation = 11; incarnation <= 15; incarnation++) {
            assertThat(stands(incarnation, 7)).isFalse();
        }
        assertThat(stands(1, TimeUnit.HOURS.toNanos(2)))
                .as("the fifth is forgotten")
                .isFalse();
    }

    @Test
    void shouldTellOnceAnHour_whenTheNodeHasRunForLong() {
        long now = TimeUnit.DAYS.toNanos(9);
        rivals.stands(ELDER, "10.0.0.1", now);
        rivals.stands(YOUNGER, "10.0.0.9", now);
        assertThat(rivals.stands(ELDER, "10.0.0.1", now)).isPresent();
        rivals.stands(YOUNGER, "10.0.0.9", now + 1);
        assertThat(rivals.stands(ELDER, "10.0.0.1", now + 2)).isEmpty();
    }

    /** Whether a line is written as that incarnation is proven. */
    private boolean stands(long incarnation, long nowNanos) {
        return rivals.stands(new Identity(new NodeId(1), incarnation), "10.0.0.1", nowNanos)
                .isPresent();
    }
}
