package dev.retier.undertow.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateWindowTest {
    private static final long TENTH = 100_000_000L;

    @Test
    void shouldCountTheLastTenFullSteps() {
        RateWindow window = new RateWindow(7);
        for (int step = 0; step < 30; step++) {
            for (int i = 0; i <= step; i++) {
                window.record(7 + step * TENTH + i);
            }
        }
        assertThat(window.perSecond(7 + 30 * TENTH)).isEqualTo(255); // 21 + 22 + ... + 30
        assertThat(window.perSecond(7 + 35 * TENTH)).isEqualTo(140); // 26 + ... + 30
        assertThat(window.perSecond(7 + 500 * TENTH)).isZero();
    }
}
