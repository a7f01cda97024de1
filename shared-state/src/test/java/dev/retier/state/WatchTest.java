package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchTest {
    private final Watch<Long> watch = new Watch<>();

    @Test
    void shouldCountFromTheFirstSight_whenTheValueStandsStill() {
        assertThat(watch.observe(1000L, 100)).isZero();
        assertThat(watch.observe(1000L, 350)).isEqualTo(250);
        assertThat(watch.observe(1000L, 400)).isEqualTo(300);
    }

    @Test
    void shouldStartAnew_whenTheValueChangesAndChangesBack() {
        watch.observe(5L, 100);

        assertThat(watch.observe(6L, 200)).isZero();
        assertThat(watch.observe(5L, 300)).isZero();
        assertThat(watch.observe(5L, 301)).isEqualTo(1);
    }
}
