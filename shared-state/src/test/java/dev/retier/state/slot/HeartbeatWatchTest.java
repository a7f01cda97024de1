package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatWatchTest {
    private final HeartbeatWatch watch = new HeartbeatWatch();

    @Test
    void shouldCountFromTheFirstSight_whenTheHeartbeatStandsStill() {
        assertThat(watch.observe(1, 0, 100)).isZero();
        assertThat(watch.observe(1, 0, 350)).isEqualTo(250);
    }

    @Test
    void shouldStartAnew_whenHeartbeatOrIncarnationChanges() {
        watch.observe(1, 5, 100);

        assertThat(watch.observe(1, 6, 200)).isZero();
        assertThat(watch.observe(2, 6, 300)).isZero();
        assertThat(watch.observe(2, 6, 301)).isEqualTo(1);
    }
}
