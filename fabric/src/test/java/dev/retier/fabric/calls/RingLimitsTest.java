package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingLimitsTest {
    @ParameterizedTest
    @CsvSource({"4096, 4, 256", "4096, 1024, 256", "160, 8, 8", "192, 8, 16", "184, 8, 8"})
    void shouldTakeTheSizes_whenTheyAreJustWithinTheLimits(int ringBytes, int messages, int bodyBytes) {
        RingLimits limits = new RingLimits(ringBytes, messages, bodyBytes);

        assertThat(limits.receives()).isEqualTo(messages + 8);
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 3, 256, messages: 3",
        "4096, 1025, 256, messages: 1025",
        "4096, 8, 7, must have room",
        "152, 8, 8, must have room",
        "184, 8, 16, must have room",
        "4100, 8, 256, a multiple of 8"
    })
    void shouldRefuse_whenASizeIsJustBeyondItsLimit(int ringBytes, int messages, int bodyBytes, String why) {
        assertThatThrownBy(() -> new RingLimits(ringBytes, messages, bodyBytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
