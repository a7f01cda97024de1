package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
    private final AdaptiveSpin spins = new AdaptiveSpin();

    private int skipped() {
        int skipped = 0;
        while (!spins.isPromising()) {
            skipped++;
        }
        return skipped;
    }

    @Test
    void shouldSpinEveryTime_whenSpinsFindSomething() {
        for (int i = 0; i < 100; i++) {
            assertThat(skipped()).isZero();
            spins.ended(true);
        }
    }

    @Test
    void shouldSkipTwiceAsManyWaits_whenSpinWasInVainAgain() {
        assertThat(skipped()).isZero();
        for (int expected = 1; expected <= AdaptiveSpin.MOST_SKIPPED; expected *= 2) {
            spins.ended(false);
            assertThat(skipped()).isEqualTo(expected);
        }
        spins.ended(false);
        assertThat(skipped()).as("the limit").isEqualTo(AdaptiveSpin.MOST_SKIPPED);
    }

    @Test
    void shouldStartAfresh_whenSpinFoundSomething() {
        for (int i = 0; i < 5; i++) {
            spins.ended(false);
            skipped();
        }
        spins.ended(true);
        assertThat(skipped()).isZero();
        spins.ended(false);
        assertThat(skipped()).isEqualTo(1);
    }
}
