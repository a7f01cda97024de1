package dev.retier.bench.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PairsTest {
    @Test
    void shouldCompareWithinEachPair_whenTheMachineDrifts() {
        Pairs pairs = new Pairs();
        for (int i = 1; i <= 9; i++) {
            pairs.add(i, 1.25 * i);
        }
        assertThat(pairs.quotient()).isEqualTo(1.25);
        assertThat(pairs.surelyAbove()).isEqualTo(1.25);
        assertThat(pairs.surelyBelow()).isEqualTo(1.25);
        assertThat(pairs.base()).isEqualTo(5);
        assertThat(pairs.other()).isEqualTo(6.25);
    }

    @Test
    void shouldTellItsQuartiles_whenQuotientsDiffer() {
        Pairs pairs = new Pairs();
        for (int i = 0; i <= 100; i++) {
            pairs.add(1, i);
        }
        assertThat(pairs.quotient()).isEqualTo(50);
        assertThat(pairs.quantile(0.25)).isEqualTo(25);
        assertThat(pairs.quantile(0.75)).isEqualTo(75);
        assertThat(pairs.surelyAbove()).isEqualTo(40);
        assertThat(pairs.surelyBelow()).isEqualTo(60);
    }

    @Test
    void shouldHoldTheTrueMedianInNineteenOfTwenty_whenRepeated() {
        SplittableRandom random = new SplittableRandom(1);
        int held = 0;
        for (int i = 0; i < 1000; i++) {
            Pairs pairs = new Pairs();
            for (int j = 0; j < 61; j++) {
                pairs.add(1, random.nextDouble());
            }
            held += pairs.surelyAbove() <= 0.5 && pairs.surelyBelow() >= 0.5 ? 1 : 0;
        }
        assertThat(held / 1000.0).isCloseTo(0.96, within(0.02));
    }

    @Test
    void shouldNotReachBeyondItsPairs_whenTheyAreFew() {
        Pairs pairs = new Pairs();
        pairs.add(2, 3);
        assertThat(pairs.surelyAbove()).isEqualTo(1.5);
        assertThat(pairs.surelyBelow()).isEqualTo(1.5);
    }
}
