package dev.retier.volume.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldBeReadAsTheyWereWritten() {
        List<VolumeName> names = List.of(new VolumeName("a"), new VolumeName("b"));
        assertThat(Names.parse(bytes(Names.text(names.getFirst(), names.getLast())), 2))
                .contains(names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a b c", "a b ", " a b", "a  b", "a b /", "a\0 b"})
    void shouldBeAsManyAsAreWanted(String text) {
        assertThat(Names.parse(bytes(text), 2)).isEmpty();
    }

    @Test
    void shouldBeBounded() {
        assertThat(Names.parse(bytes("a ".repeat(10_000)), 10_000)).isEmpty();
    }
}
