package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcceptBackoffTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AcceptBackoff backoff = new AcceptBackoff();

    @Test
    void shouldRestTwiceAsLong_whenAcceptingFailsAgain() {
        for (long millis = 250; millis < 16_000; millis *= 2) {
            assertThat(backoff.failed()).isEqualTo(Duration.ofMillis(millis));
        }
        assertThat(backoff.failed()).isEqualTo(Duration.ofSeconds(16));
        assertThat(backoff.failed()).as("the limit").isEqualTo(Duration.ofSeconds(16));
    }

    @Test
    void shouldTellOncePerEpisode_whenAcceptingFailsAgainAndAgain() {
        backoff.failed();
        assertThat(backoff.tells(0)).isTrue();
        backoff.failed();
        assertThat(backoff.tells(2 * MINUTE)).isFalse();
        assertThat(backoff.succeeded()).isEqualTo(2);
        assertThat(backoff.succeeded()).isZero();
        assertThat(backoff.failed()).isEqualTo(AcceptBackoff.FIRST);
        assertThat(backoff.tells(3 * MINUTE)).isTrue();
    }

    @Test
    void shouldTellOnceAMinute_whenEpisodesAreShort() {
        int lines = 0;
        for (long now = 0; now < 10 * MINUTE; now += MINUTE / 100) {
            backoff.failed();
            lines += backoff.tells(now) ? 1 : 0;
            backoff.succeeded();
        }
        assertThat(lines).isEqualTo(10);
    }
}
