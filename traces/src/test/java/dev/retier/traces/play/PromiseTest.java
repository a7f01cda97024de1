package dev.retier.traces.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PromiseTest {
    private static final Promise HUNDRED = Promise.of(100);

    @Test
    void shouldBeKept_whenAllThatWasDueUpToThePromiseWasAnsweredInTime() {
        assertThat(HUNDRED.isKept(500, 100)).isTrue();
        assertThat(HUNDRED.isKept(500, 99)).isFalse();
        assertThat(HUNDRED.isKept(40, 40)).isTrue();
        assertThat(HUNDRED.isKept(40, 39)).isFalse();
        assertThat(HUNDRED.isKept(40, 0)).as("a server that stands still").isFalse();
        assertThat(HUNDRED.isKept(0, 0)).as("nothing was asked for").isTrue();
    }

    @Test
    void shouldBeKeptByClients_whenEnoughWasAnsweredOrNobodyAsked() {
        assertThat(HUNDRED.isKeptByClients(100, true)).isTrue();
        assertThat(HUNDRED.isKeptByClients(99, true)).isFalse();
        assertThat(HUNDRED.isKeptByClients(0, false)).isTrue();
    }

    @Test
    void shouldScale_whenTheIntervalIsNotASecond() {
        Promise promise = new Promise(100, Duration.ofMillis(250), Duration.ofSeconds(1));
        assertThat(promise.perInterval()).isEqualTo(25);
        assertThat(promise.isKept(500, 25)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> Promise.of(0)).withMessageContaining("above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Promise(1, Duration.ZERO, Duration.ofSeconds(1)))
                .withMessageContaining("at least 1 ms");
    }
}
