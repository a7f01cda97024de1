package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;

class BackoffTest {
    @Seeded(tries = 50)
    void shouldDoubleUpToASecond_whenFailuresGoOn(SplittableRandom random) {
        Backoff backoff = new Backoff(random);

        assertThat(backoff.afterFailureNanos()).isBetween(37_500_000L, 62_500_000L);
        assertThat(backoff.afterFailureNanos()).isBetween(75_000_000L, 125_000_000L);
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.afterFailureNanos()).isBetween(100_000_000L, 1_250_000_000L);
        }
        assertThat(backoff.afterFailureNanos()).isGreaterThanOrEqualTo(750_000_000L);
        backoff.succeeded();
        assertThat(backoff.afterFailureNanos()).isLessThanOrEqualTo(62_500_000L);
    }
}
