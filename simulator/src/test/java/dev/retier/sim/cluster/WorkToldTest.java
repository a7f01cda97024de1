package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WorkToldTest {
    private static final long LAG_NANOS = 35_000_000;
    private static final double LAG_SECONDS = 0.035;

    @Test
    void shouldTellAll_whenThereIsNoLag() {
        assertThat(new WorkTold(0, 1).after(1.25)).isEqualTo(1.25);
    }

    @Test
    void shouldStayWithinTheLagAndTakeNothingBack() {
        WorkTold told = new WorkTold(LAG_NANOS, 1);
        double before = 0;
        for (int look = 1; look <= 1_000; look++) {
            double worked = look * 0.001;
            double now = told.after(worked);
            assertThat(now).isBetween(Math.max(before, worked - LAG_SECONDS), worked);
            before = now;
        }
    }

    /** As utilisations of real servers that are all used: over 200 ms, each 100 ms. */
    @Test
    void shouldDeviateAsMeasured_whenAllIsUsed() {
        WorkTold told = new WorkTold(LAG_NANOS, 1);
        int looks = 10_000;
        double[] seen = new double[looks];
        for (int look = 0; look < looks; look++) {
            seen[look] = told.after(look * 0.1);
        }
        double squares = 0;
        for (int look = 2; look < looks; look++) {
            double utilisation = (seen[look] - seen[look - 2]) / 0.2;
            squares += (utilisation - 1) * (utilisation - 1);
        }

        assertThat(Math.sqrt(squares / looks)).isCloseTo(0.072, within(0.004));
    }

    @Test
    void shouldBeginAnew_whenTheServerStartsAgain() {
        WorkTold told = new WorkTold(LAG_NANOS, 1);
        assertThat(told.after(10)).isGreaterThan(9);
        told.restart(0);

        assertThat(told.after(0.02)).isLessThanOrEqualTo(0.02);
    }
}
