package dev.retier.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FreezeTest {
    @Test
    void shouldTellWhatUsersMustSee_whenTheServerStandsStillForAFifthOfTheTime() {
        Freeze freeze = new Freeze(1000, 10, 2000);

        assertThat(freeze.due()).isEqualTo(10_000);
        assertThat(freeze.waitMillis(0.5)).isZero();
        assertThat(freeze.waitMillis(0.8)).as("the last who did not wait").isEqualTo(0, within(1e-6));
        assertThat(freeze.waitMillis(0.99)).isEqualTo(1900, within(1e-6));
        assertThat(freeze.waitMillis(1)).isEqualTo(2000);
    }

    @Test
    void shouldReadWhatGatlingPrints_whenARunIsOver() throws IOException {
        assertThat(GatlingReport.read("""
                ---- Global Information --------|---Total---|-----OK----|----KO----
                > request count                 |    10,000 |     9,998 |         2
                > min response time (ms)        |         0 |         0 |       300
                > max response time (ms)        |     2,003 |     2,003 |       301
                > response time 50th percentile (ms) |    1 |         1 |       300
                > response time 99th percentile (ms) | 1,901 |    1,901 |       301
                """)).isEqualTo(new FrozenBench.Said(10_000, 2, 1, 1901, 2003));
    }
}
