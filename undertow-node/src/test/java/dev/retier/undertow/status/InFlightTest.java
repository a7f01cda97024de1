package dev.retier.undertow.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightTest {
    @Test
    void shouldTurnAwayAndCountOnlyThoseInside_whenFull() {
        InFlight inFlight = new InFlight(2);
        assertThat(inFlight.tryEnter(true)).isTrue();
        assertThat(inFlight.tryEnter(false)).isTrue();
        assertThat(inFlight.tryEnter(true)).isFalse();
        assertThat(inFlight.all()).isEqualTo(2);
        assertThat(inFlight.fromClients()).isEqualTo(1);
        inFlight.leave(true);
        assertThat(inFlight.tryEnter(true)).isTrue();
    }

    @Test
    void shouldBeEmptyOnlyAfterTheLastLeft_whenClosing() throws InterruptedException {
        InFlight inFlight = new InFlight(2);
        inFlight.tryEnter(true);
        inFlight.close();
        assertThat(inFlight.isClosing()).isTrue();
        assertThat(inFlight.awaitEmpty(1)).isFalse();
        inFlight.leave(true);
        assertThat(inFlight.awaitEmpty(1)).isTrue();
    }
}
