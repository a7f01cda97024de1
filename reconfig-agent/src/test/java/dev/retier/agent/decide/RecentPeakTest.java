package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentPeakTest {
    @Test
    void shouldRememberAHighFigure_forHalfAPeriodAtLeastAndAWholeOneAtMost() {
        RecentPeak peak = RecentPeak.none(0).with(0.9, 100, 0);
        for (int now = 10; now <= 90; now += 10) {
            peak = peak.with(0.2, 100, now);
            assertThat(peak.value()).as("after %d", now).isEqualTo(0.9);
        }
        assertThat(peak.with(0.2, 100, 100).value()).isEqualTo(0.2);
    }

    @Test
    void shouldRiseAtOnce() {
        assertThat(RecentPeak.none(0).with(0.2, 100, 0).with(0.7, 100, 1).value())
                .isEqualTo(0.7);
        assertThat(RecentPeak.none(0).value()).isZero();
    }
}
