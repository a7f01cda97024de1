package dev.retier.bench;

import static dev.retier.bench.RoundRule.Fate.COUNTS;
import static dev.retier.bench.RoundRule.Fate.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundRuleTest {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final RoundRule rule = new RoundRule(Duration.ofMinutes(20));

    @Test
    void shouldCount_whenOthersTookATenthAtMost() {
        assertThat(rule.judge(0, MINUTE_NANOS)).isEqualTo(COUNTS);
        assertThat(rule.judge(0.10, MINUTE_NANOS)).isEqualTo(COUNTS);

        assertThat(rule.repeated()).isZero();
        assertThat(RoundRule.isDisturbed(0.10)).isFalse();
    }

    @Test
    void shouldRepeat_whenOthersTookMore() {
        assertThat(rule.judge(0.101, 3 * MINUTE_NANOS)).isEqualTo(REPEATED);

        assertThat(rule.repeated()).isEqualTo(1);
        assertThat(rule.repeatedNanos()).isEqualTo(3 * MINUTE_NANOS);
        assertThat(RoundRule.isDisturbed(0.101)).isTrue();
    }

    @Test
    void shouldCountTheDisturbed_whenRepeatsTookAllTheTime() {
        for (int i = 0; i < 6; i++) {
            assertThat(rule.judge(0.5, 3 * MINUTE_NANOS)).isEqualTo(REPEATED);
        }
        assertThat(rule.judge(0.5, 3 * MINUTE_NANOS)).as("would make 21 min").isEqualTo(COUNTS);
        assertThat(rule.judge(0.5, 2 * MINUTE_NANOS)).as("makes 20 min").isEqualTo(REPEATED);
        assertThat(rule.judge(0.5, 1)).isEqualTo(COUNTS);
        assertThat(rule.repeated()).isEqualTo(7);
    }

    @Test
    void shouldNotSpendTime_whenRoundsAreQuiet() {
        for (int i = 0; i < 100; i++) {
            assertThat(rule.judge(0.05, MINUTE_NANOS)).isEqualTo(COUNTS);
        }
        assertThat(rule.judge(0.5, 20 * MINUTE_NANOS)).isEqualTo(REPEATED);
    }

    @Test
    void shouldCountAll_whenThereIsNoPatienceOrNoFigure() {
        assertThat(new RoundRule(Duration.ZERO).judge(0.9, 1)).isEqualTo(COUNTS);
        assertThat(rule.judge(Double.NaN, 1)).isEqualTo(COUNTS);
    }
}
