package dev.retier.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.measure.IntervalSeries.Column;
import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalSeriesTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldCountInTheRightInterval_whenTimesLieOnTheEdges() {
        IntervalSeries series = new IntervalSeries(250 * MS);

        series.add(Column.STATIC_ANSWERED, 0, 1);
        series.add(Column.STATIC_ANSWERED, 250 * MS - 1, 1);
        series.add(Column.DYNAMIC_ANSWERED, 250 * MS, 1);
        series.add(Column.FAILED, 999 * MS, 2);
        series.add(Column.BODY_BYTES, -5, 100);

        assertThat(series.intervals())
                .containsExactly(
                        new Interval(0, 0, 2, 0, 0, 0, 100, 0, 0),
                        new Interval(250, 0, 0, 1, 0, 0, 0, 0, 0),
                        new Interval(500, 0, 0, 0, 0, 0, 0, 0, 0),
                        new Interval(750, 0, 0, 0, 2, 0, 0, 0, 0));
        assertThat(series.lastComplete(600 * MS, 250 * MS)).isEqualTo(new Interval(250, 0, 0, 1, 0, 0, 0, 0, 0));
        assertThat(series.lastComplete(10 * MS, 250 * MS).startMillis()).isZero();
        assertThat(series.lastComplete(999 * MS, 500 * MS)).isEqualTo(new Interval(0, 0, 2, 1, 0, 0, 100, 0, 0));
        assertThat(series.lastComplete(1000 * MS, 500 * MS)).isEqualTo(new Interval(500, 0, 0, 0, 2, 0, 0, 0, 0));
        assertThat(series.lastComplete(Long.MAX_VALUE, 250 * MS).failed()).isZero();
    }

    @Test
    void shouldGrow_whenTheRunOutgrowsTheFirstArrays() {
        IntervalSeries series = new IntervalSeries(MS);

        series.add(Column.SENT, 63 * MS, 1);
        series.add(Column.SENT, 64 * MS, 2);
        series.add(Column.SENT, 500 * MS, 3);

        assertThat(series.intervals()).hasSize(501);
        assertThat(series.intervals().get(64).sent()).isEqualTo(2);
        assertThat(series.intervals().get(500).sent()).isEqualTo(3);
    }

    @Test
    void shouldDoubleTheInterval_whenTheRunOutgrowsTheLimit() {
        IntervalSeries series = new IntervalSeries(MS, 4);
        for (int i = 0; i < 4; i++) {
            series.add(Column.SENT, i * MS, i + 1);
        }
        assertThat(series.intervalNanos()).isEqualTo(MS);

        series.add(Column.SENT, 4 * MS, 5);

        assertThat(series.intervalNanos()).isEqualTo(2 * MS);
        assertThat(series.intervals()).extracting(Interval::sent).containsExactly(3L, 7L, 5L);
        series.add(Column.SENT, 31 * MS, 1);
        assertThat(series.intervalNanos()).isEqualTo(8 * MS);
        assertThat(series.intervals()).extracting(Interval::sent).containsExactly(15L, 0L, 0L, 1L);
    }

    @Seeded(tries = 50)
    void shouldLoseNothing_whenSeriesOfDifferentLengthAreAdded(SplittableRandom random) {
        IntervalSeries one = new IntervalSeries(MS, 8);
        IntervalSeries other = new IntervalSeries(MS, 8);
        IntervalSeries both = new IntervalSeries(MS, 8);
        for (int i = 0; i < 100; i++) {
            long at = random.nextLong(random.nextInt(1, 60) * MS);
            IntervalSeries part = random.nextBoolean() ? one : other;
            part.add(Column.SENT, at, 1);
            both.add(Column.SENT, at, 1);
        }

        one.addAll(other);

        assertThat(one.intervalNanos()).isEqualTo(both.intervalNanos());
        assertThat(one.intervals()).isEqualTo(both.intervals());
    }
}
