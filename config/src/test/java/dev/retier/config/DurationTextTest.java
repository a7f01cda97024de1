package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({"7us, PT0.000007S", "250ms, PT0.25S", "5s, PT5S", "2m, PT2M", "3h, PT3H", "999999999h, PT999999999H"})
    void shouldReadEachUnit(String text, Duration duration) {
        assertThat(DurationText.parse(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "1.5s", "-1s", " 5s", "5 s", "5d", "1000000000h"})
    void shouldReadNothing_whenTheTextIsNoDuration(String text) {
        assertThat(DurationText.parse(text)).isEmpty();
    }

    @Test
    void shouldPrintTheShortestText() {
        assertThat(DurationText.print(Duration.ofNanos(1_500_000))).isEqualTo("1500us");
        assertThat(DurationText.print(Duration.ofMillis(1_500))).isEqualTo("1500ms");
        assertThat(DurationText.print(Duration.ofMinutes(1))).isEqualTo("60s");
    }
}
