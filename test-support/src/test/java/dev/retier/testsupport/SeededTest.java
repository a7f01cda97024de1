package dev.retier.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;

class SeededTest {
    private static final TreeSet<Long> FIRST_NUMBERS = new TreeSet<>();

    @Seeded(tries = 5)
    void shouldGiveEachTryItsOwnRandom(SplittableRandom random) {
        FIRST_NUMBERS.add(random.nextLong());
    }

    @AfterAll
    static void shouldHaveRunOncePerSeed() {
        int expected = System.getProperty("seed") == null ? Repeats.of(5) : 1;
        assertThat(FIRST_NUMBERS).hasSize(expected);
    }
}
