package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LayoutsTest {
    static List<String> told() throws IOException {
        try (InputStream in = LayoutsTest.class.getResourceAsStream("/layouts.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("told")
    void shouldBeWhereCHasIt_whateverTheField(String line) throws ReflectiveOperationException {
        String[] words = line.split(" ", -1);
        StructLayout layout =
                (StructLayout) Layouts.class.getDeclaredField(words[0]).get(null);
        long expected = Long.parseLong(words[2]);
        if (words[1].equals("size")) {
            assertThat(layout.byteSize()).isEqualTo(expected);
        } else {
            assertThat(Layouts.at(layout, words[1])).isEqualTo(expected);
        }
    }
}
