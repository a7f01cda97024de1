package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuietRoundsTest {
    @Test
    void shouldBeUndecided_whenOneRoundOfSeveralWasDisturbed() {
        assertThat(QuietRounds.Kept.of(List.of(1, 2, 3), List.of(0.02, 0.3, 0.01)))
                .isEqualTo(new QuietRounds.Kept<>(List.of(1, 2, 3), 0.3))
                .extracting(kept -> kept.verdict(true))
                .isEqualTo("undecided");
    }

    @Test
    void shouldSayMetOrMissed_whenNoRoundWasDisturbed() {
        QuietRounds.Kept<Integer> kept = QuietRounds.Kept.of(List.of(1, 2), List.of(Double.NaN, 0.10));

        assertThat(kept.othersShare()).isEqualTo(0.10);
        assertThat(kept.verdict(true)).isEqualTo("met");
        assertThat(kept.verdict(false)).isEqualTo("missed");
    }

    @Test
    void shouldKeepTheRoundsThatCount_whenSomeWarmUp() throws Exception {
        List<Integer> numbers = new ArrayList<>();

        QuietRounds.Kept<Integer> kept = new QuietRounds(Duration.ZERO).run(2, 3, number -> {
            numbers.add(number);
            return number * 10;
        });

        assertThat(numbers).containsExactly(-2, -1, 0, 1, 2);
        assertThat(kept.all()).containsExactly(0, 10, 20);
    }
}
