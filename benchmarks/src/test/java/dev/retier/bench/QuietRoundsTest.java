package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuietRoundsTest {
    @Test
    void shouldNumberRoundsAndLeaveTheWarmUpOut_whenRun() throws Exception {
        List<Integer> all = new ArrayList<>();

        QuietRounds.Kept<Integer> kept = new QuietRounds(Duration.ZERO).run(2, 3, number -> {
            all.add(number);
            return number;
        });

        assertThat(all).containsExactly(-2, -1, 0, 1, 2);
        assertThat(kept.all()).containsExactly(0, 1, 2);
    }

    @Test
    void shouldBeUndecided_whenOthersDisturbedARound() {
        assertThat(new QuietRounds.Kept<>(List.of(1), 0.1).verdict(true)).isEqualTo("met");
        assertThat(new QuietRounds.Kept<>(List.of(1), 0.1).verdict(false)).isEqualTo("missed");
        assertThat(new QuietRounds.Kept<>(List.of(1), 0.2).verdict(true)).isEqualTo("undecided");
        assertThat(new QuietRounds.Kept<>(List.of(1), 0.2).verdict(false)).isEqualTo("undecided");
    }

    @Test
    void shouldTellWhatRoundsMet_whenThereWereSome() throws Exception {
        QuietRounds rounds = new QuietRounds(Duration.ZERO);
        Table facts = new Table("fact", "value");
        rounds.tell(facts);
        assertThat(facts.cells()).hasSize(1);

        rounds.run(0, 1, _ -> 0);
        rounds.tell(facts);

        assertThat(facts.cells()).hasSize(3).last().asString().contains("rounds repeated", "0 (0 s)");
    }
}
