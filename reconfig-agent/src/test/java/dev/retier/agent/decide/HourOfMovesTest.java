package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.DecisionRules;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HourOfMovesTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    /** The monotonic clock may begin anywhere, and overflow. */
    private static final long START = Long.MAX_VALUE - 30 * MINUTE;

    @Test
    void shouldCountThoseOfTheLastHour() {
        HourOfMoves moves = HourOfMoves.none()
                .with(START)
                .with(START + 20 * MINUTE)
                .with(START + 20 * MINUTE)
                .with(START + 50 * MINUTE);
        assertThat(HourOfMoves.none().count(START)).isZero();
        assertThat(moves.count(START + 50 * MINUTE)).isEqualTo(4);
        assertThat(moves.count(START + 60 * MINUTE - 1)).isEqualTo(4);
        assertThat(moves.count(START + 60 * MINUTE)).isEqualTo(3);
        assertThat(moves.count(START + 80 * MINUTE)).isEqualTo(1);
        assertThat(moves.count(START + 110 * MINUTE)).isZero();
        assertThat(moves.with(START + 80 * MINUTE).count(START + 80 * MINUTE)).isEqualTo(2);
    }

    @Test
    void shouldForgetTheOldest_whenThereAreTooMany() {
        HourOfMoves moves = HourOfMoves.none();
        int most = 2 * DecisionRules.MAX_MOVES_PER_HOUR;
        for (int i = 0; i < most + 10; i++) {
            moves = moves.with(START + i);
        }
        assertThat(moves.count(START + most + 10)).isEqualTo(most);
        assertThat(moves.count(START + 60 * MINUTE + 10))
                .as("the first ten are gone")
                .isEqualTo(most - 1);
    }
}
