package dev.retier.bench.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairsTest {
    private static final List<Double> BEFORE = List.of(1.0, 5.0, 2.0, 9.0);

    @Test
    void shouldBeWorse_whenEverySeedLosesAlike() {
        Pairs pairs = Pairs.of(BEFORE, List.of(0.9, 4.9, 1.9, 8.9));

        assertThat(pairs.change()).isCloseTo(-0.1, within(1e-9));
        assertThat(pairs.isWorse(0.05)).isTrue();
        assertThat(pairs.isWorse(0.2)).as("less than the grain").isFalse();
        assertThat(pairs.isBetter(0.05)).isFalse();
    }

    @Test
    void shouldBeNeither_whenSeedsLoseAndWin() {
        Pairs pairs = Pairs.of(BEFORE, List.of(0.0, 7.0, 0.0, 9.5));

        assertThat(pairs.isWorse(0.01)).isFalse();
        assertThat(pairs.isBetter(0.01)).isFalse();
    }

    @Test
    void shouldBeBetter_whenEverySeedWins() {
        assertThat(Pairs.of(BEFORE, List.of(2.0, 6.1, 3.0, 9.9)).isBetter(0.5)).isTrue();
    }

    @Test
    void shouldTellTheDeviationOfASample() {
        assertThat(Pairs.deviation(List.of(1.0, 2.0, 3.0))).isCloseTo(1, within(1e-9));
        assertThat(Pairs.deviation(List.of(4.0))).isZero();
    }
}
