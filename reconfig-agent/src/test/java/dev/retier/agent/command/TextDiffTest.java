package dev.retier.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextDiffTest {
    @Test
    void shouldSayNothing_whenTheTextsAreEqual() {
        assertThat(TextDiff.of("a\nb\n", "a\nb\n")).isEmpty();
    }

    @Test
    void shouldKeepWhatIsCommon() {
        assertThat(TextDiff.of("a\nb\nc\n", "a\nx\nc\nd\n")).containsExactly(" a", "-b", "+x", " c", "+d");
        assertThat(TextDiff.of("", "a\n")).containsExactly("+a");
        assertThat(TextDiff.of("a\n", "")).containsExactly("-a");
    }

    @Test
    void shouldReplaceAll_whenTheTextsAreLarge() {
        String large = "same\n".repeat(1_001);
        assertThat(TextDiff.of(large, "same\n")).hasSize(1_002).doesNotContain(" same");
    }
}
