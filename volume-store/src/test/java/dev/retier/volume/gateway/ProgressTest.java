package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long MOST = 60_000;

    private final Progress progress = new Progress();

    @Test
    void shouldStall_whenNothingComesForLong() {
        progress.due(0);
        progress.moved(1000, 50_000);
        assertThat(progress.isStalled(MOST, MOST)).isFalse();
        assertThat(progress.isStalled(MOST + 1, MOST)).isTrue();
        progress.moved(1 << 20, MOST);
        assertThat(progress.isStalled(2 * MOST, MOST)).isFalse();
        progress.over();
        assertThat(progress.isStalled(9 * MOST, MOST)).isFalse();
    }

    /** The process was stopped for five minutes, and its client could do nothing. */
    @Test
    void shouldNotCount_whenThisProcessWasStopped() {
        progress.due(10_000);
        long stopped = Progress.stoppedNanos(306_000, 6_000);
        progress.pardon(stopped);
        assertThat(progress.isStalled(330_000, MOST)).isFalse();
        assertThat(progress.isStalled(310_000 + MOST + 1, MOST)).isTrue();
        assertThat(Progress.stoppedNanos(11_000, 6_000)).as("it was busy").isZero();
        progress.over();
        progress.pardon(stopped);
        assertThat(progress.isStalled(999_000, MOST)).as("it is nobody's turn").isFalse();
    }
}
