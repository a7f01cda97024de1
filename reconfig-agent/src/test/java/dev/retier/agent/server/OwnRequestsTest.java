package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.ServerPage;
import org.junit.jupiter.api.Test;

class OwnRequestsTest {
    private final OwnRequests own = new OwnRequests();

    private long told(long raw) {
        return own.without(new ServerPage(raw, 0, 0, 1, "", "")).requests();
    }

    @Test
    void shouldTellTheRequestsOfOthersAlone() {
        own.add();
        own.add();
        assertThat(told(10)).isEqualTo(8);
    }

    @Test
    void shouldNeverTellFewer_whenARequestIsUnderWay() {
        assertThat(told(10)).isEqualTo(10);
        own.add();
        assertThat(told(10)).as("made, and not counted there yet").isEqualTo(10);
        assertThat(told(12)).isEqualTo(11);
    }

    @Test
    void shouldBeginAnew_whenTheServerDoes() {
        own.add();
        assertThat(told(100)).isEqualTo(99);
        assertThat(told(3)).isEqualTo(3);
        assertThat(told(5)).isEqualTo(5);
    }
}
