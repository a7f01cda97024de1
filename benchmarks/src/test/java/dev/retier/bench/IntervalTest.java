package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalTest {
    private static List<Stats> blocks(int count, double spreadOfBlocks, double spreadOfTurns, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Stats> blocks = new ArrayList<>();
        for (int block = 0; block < count; block++) {
            double middle = 1 + spreadOfBlocks * random.nextGaussian();
            Stats turns = new Stats();
            for (int turn = 0; turn < 10; turn++) {
                turns.add(middle + spreadOfTurns * random.nextGaussian());
            }
            blocks.add(turns);
        }
        return blocks;
    }

    @Test
    void shouldHoldTheTruthInMostMeasurements_whenBlocksDiffer() {
        int holds = 0;
        for (int seed = 0; seed < 200; seed++) {
            Interval found = Interval.ofMedian(blocks(20, 0.05, 0.02, seed));
            holds += found.from() <= 1 && 1 <= found.to() ? 1 : 0;
        }
        assertThat(holds).as("of 200 measurements, 95 % of which should").isBetween(178, 200);
    }

    @Test
    void shouldBeNarrower_whenBlocksAgree() {
        Interval agreeing = Interval.ofMedian(blocks(20, 0, 0.02, 1));
        Interval differing = Interval.ofMedian(blocks(20, 0.1, 0.02, 1));
        assertThat(agreeing.to() - agreeing.from()).isLessThan((differing.to() - differing.from()) / 3);
    }

    @Test
    void shouldBeFromLeastToMost_whenThereAreFewBlocks() {
        assertThat(Interval.ofMedian(List.of(Stats.of(3, 1), Stats.of(2)))).isEqualTo(new Interval(1, 2, 3));
    }

    @Test
    void shouldDecideOnlyAsAWhole() {
        Interval found = new Interval(0.9, 1, 1.1);
        assertThat(found.isAtMost(1.1)).isTrue();
        assertThat(found.isAtMost(1.05)).isFalse();
        assertThat(found.isAtLeast(0.9)).isTrue();
        assertThat(found.isAtLeast(0.95)).isFalse();
    }
}
