package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTextTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "4095, 4095", "4k, 4096", "64m, 67108864", "20g, 21474836480", "3t, 3298534883328"})
    void shouldReadWhatItPrints(String text, long bytes) {
        assertThat(SizeText.parse(text)).contains(bytes);
        assertThat(SizeText.print(bytes)).isEqualTo(text);
    }

    @Test
    void shouldReadUnitsThatAreNotTheShortest() {
        assertThat(SizeText.parse("1024k")).contains(1L << 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "k", "-1", "1.5g", "1 g", "1G", "1gb", "8388608t", "9999999999999999", "999999999999999t"})
    void shouldRefuse(String text) {
        assertThat(SizeText.parse(text)).isEmpty();
    }
}
