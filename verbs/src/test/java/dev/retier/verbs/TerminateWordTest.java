package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminateWordTest {
    @ParameterizedTest
    @ValueSource(ints = {0x0100, 0x0102, 0x0104, 0x0109, 0x1100, 0x1101, 0x1102, 0x1103})
    void shouldBeAProtectionError_whenMemoryARangeOrARightIsRefused(int word) {
        assertThat(TerminateWord.of(word).isProtectionError()).isTrue();
        assertThat(TerminateWord.of(word).word()).isEqualTo(word);
    }

    /** 0 is no Terminate; 0x1104 is an unknown DDP version (RFC 5041 section 8.2). */
    @ParameterizedTest
    @ValueSource(ints = {0, 0x0200, 0x1104, 0x1202, 0x1206, 0x2002, 0x2102})
    void shouldBeNoProtectionError_whenItIsAnythingElse(int word) {
        assertThat(TerminateWord.of(word).isProtectionError()).isFalse();
        assertThat(TerminateWord.of(word).word()).isEqualTo(word);
    }

    @Test
    void shouldTakeTheWordApart() {
        assertThat(TerminateWord.of(0x12_05)).isEqualTo(new TerminateWord(1, 2, 5));
        assertThat(TerminateWord.of(0x7_1205)).isEqualTo(new TerminateWord(1, 2, 5));
    }
}
