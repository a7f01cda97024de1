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
}
