package dev.retier.agent.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.edge.Reach.Change;
import org.junit.jupiter.api.Test;

class ReachTest {
    private final Reach reach = new Reach();

    private Change after(boolean isHeard, long seconds) {
        return reach.after(isHeard, seconds * 1_000_000_000L);
    }

    @Test
    void shouldSayNothing_whenAnAgentIsStartedAgain() {
        assertThat(after(false, 100)).as("it is not up yet").isEqualTo(Change.NOTHING);
        assertThat(after(true, 101)).isEqualTo(Change.NOTHING);
        assertThat(after(false, 102)).isEqualTo(Change.NOTHING);
        assertThat(after(false, 111)).isEqualTo(Change.NOTHING);
        assertThat(after(true, 112)).isEqualTo(Change.NOTHING);
        assertThat(after(false, 113)).as("that is new").isEqualTo(Change.NOTHING);
    }

    @Test
    void shouldSayOnceThatItIsLost_andThatItIsBack() {
        after(false, 0);
        assertThat(after(false, 10)).isEqualTo(Change.LOST);
        assertThat(after(false, 20)).isEqualTo(Change.NOTHING);
        assertThat(after(true, 21)).isEqualTo(Change.BACK);
        assertThat(after(true, 31)).isEqualTo(Change.NOTHING);
    }
}
