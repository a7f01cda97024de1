package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MuteWatchTest {
    private final MuteWatch watch = new MuteWatch(Duration.ofNanos(100), 1_000);

    @Test
    void shouldBeMute_whenNothingWasToldForTheBound() {
        assertThat(watch.isMute(1_099)).isFalse();
        assertThat(watch.isMute(1_100)).isTrue();
    }

    @Test
    void shouldCountAnew_whenItHasTold() {
        watch.told(1_500);
        assertThat(watch.isMute(1_599)).isFalse();
        assertThat(watch.isMute(1_600)).isTrue();
    }
}
