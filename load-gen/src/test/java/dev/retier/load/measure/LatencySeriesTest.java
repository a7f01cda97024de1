package dev.retier.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencySeriesTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldTellIntervalsApart_whenLatenciesDiffer() {
        LatencySeries series = new LatencySeries(100 * MS);
        for (int i = 1; i <= 100; i++) {
            series.add(10 * MS, i * MS);
            series.add(250 * MS, 2L * i * MS);
        }

        LatencyOverTime overTime = series.overTime();

        assertThat(overTime.intervalMillis()).isEqualTo(100);
        assertThat(overTime.intervals())
                .extracting(LatencyInterval::startMillis)
                .containsExactly(0L, 100L, 200L);
        assertThat(overTime.intervals()).extracting(LatencyInterval::count).containsExactly(100L, 0L, 100L);
        assertThat((double) overTime.intervals().getFirst().p50Nanos()).isCloseTo(50.0 * MS, withinPercentage(1));
        assertThat((double) overTime.intervals().getLast().p99Nanos()).isCloseTo(198.0 * MS, withinPercentage(1));
        assertThat(overTime.intervals().get(1)).isEqualTo(LatencyInterval.empty(100));
    }

    @Test
    void shouldShowTheLastIntervalThatIsOver_whenItIsSealedOrNot() {
        LatencySeries series = new LatencySeries(100 * MS);
        series.add(10 * MS, 5 * MS);
        assertThat(lastComplete(series, 99 * MS).getTotalCount()).isEqualTo(1);
        series.overTime();
        series.add(90 * MS, 7 * MS);

        Histogram both = lastComplete(series, 199 * MS);

        assertThat(both.getTotalCount()).isEqualTo(2);
        assertThat((double) both.getMaxValue()).isCloseTo(7.0 * MS, withinPercentage(1));
        assertThat(lastComplete(series, 200 * MS).getTotalCount()).isZero();
        assertThat(lastComplete(series, Long.MAX_VALUE).getTotalCount()).isZero();
    }

    private static Histogram lastComplete(LatencySeries series, long nowNanos) {
        Histogram sum = LatencyInterval.newHistogram();
        series.addLastComplete(nowNanos, sum);
        return sum;
    }

    @Seeded(tries = 10)
    void shouldLoseNothing_whenTheRunOutgrowsItAndPartsAreAdded(SplittableRandom random) {
        LatencySeries one = new LatencySeries(MS);
        LatencySeries other = new LatencySeries(MS);
        Histogram expected = LatencyInterval.newHistogram();
        long at = 0;
        for (int i = 0; i < 20_000; i++) {
            at += random.nextLong(2 * MS);
            long latency = random.nextLong(1_000, 1_000 * MS);
            (random.nextInt(3) == 0 ? other : one).add(i % 10 == 0 ? at / 2 : at, latency);
            expected.recordValue(latency);
        }

        one.addAll(other);

        LatencyOverTime overTime = one.overTime();
        assertThat(overTime.intervals()).hasSizeLessThanOrEqualTo(LatencySeries.MAX_INTERVALS);
        assertThat(overTime.intervalMillis()).isEqualTo(32);
        Histogram sum = LatencyInterval.newHistogram();
        overTime.intervals().forEach(interval -> sum.add(interval.histogram()));
        assertThat(sum.getTotalCount()).isEqualTo(20_000);
        assertThat(sum.getValueAtPercentile(50)).isEqualTo(expected.getValueAtPercentile(50));
        assertThat(sum.getValueAtPercentile(99.9)).isEqualTo(expected.getValueAtPercentile(99.9));
    }
}
