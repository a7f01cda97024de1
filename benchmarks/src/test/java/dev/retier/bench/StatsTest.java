package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void shouldTellMedianAndEnds_whenGivenInAnyOrder() {
        Stats odd = Stats.of(3, 1, 2);
        assertThat(List.of(odd.least(), odd.median(), odd.most(), odd.sum())).containsExactly(1.0, 2.0, 3.0, 6.0);
        assertThat(Stats.of(4, 1, 2, 3).median()).isEqualTo(2.5);
    }

    @Test
    void shouldTakeTheNearestRank_whenAskedForAQuantile() {
        Stats hundred = new Stats();
        for (int i = 100; i >= 1; i--) {
            hundred.add(i);
        }
        assertThat(hundred.quantile(0.99)).isEqualTo(99);
        assertThat(hundred.quantile(0.991)).isEqualTo(100);
        assertThat(hundred.quantile(1)).isEqualTo(100);
        assertThat(hundred.quantile(0.001)).isEqualTo(1);
        hundred.add(1000);
        assertThat(hundred.most()).as("after one more").isEqualTo(1000);
        assertThat(hundred.count()).isEqualTo(101);
    }

    @Test
    void shouldDivideRoundByRound_whenRatiosAreAsked() {
        Stats ratios = Stats.ratios(Stats.of(2, 9, 5), Stats.of(1, 3));
        assertThat(ratios.count()).isEqualTo(2);
        assertThat(ratios.least()).isEqualTo(2);
        assertThat(ratios.most()).isEqualTo(3);
    }

    @Test
    void shouldHaveNoFigure_whenThereIsNone() {
        Stats none = new Stats();
        assertThat(none.median()).isNaN();
        assertThat(none.quantile(0.5)).isNaN();
        assertThat(none.most()).isNaN();
        assertThat(none.mostInPart(0, 4)).isZero();
    }

    @Test
    void shouldKeepTheirOrder_whenPartsAreAsked() {
        Stats all = Stats.of(List.of("a", "bbb", "cc", "dddd"), String::length);
        assertThat(all.median()).isEqualTo(2.5);
        assertThat(all.mostInPart(0, 2)).isEqualTo(3);
        assertThat(all.mostInPart(1, 2)).isEqualTo(4);
    }
}
