package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    @Test
    void shouldEndAllTheLastFirst_whenOneOfThemFails() {
        List<String> ended = new ArrayList<>();
        try (Closing closing = new Closing()) {
            closing.add(() -> ended.add("server"));
            closing.add(() -> {
                throw new IOException("is busy");
            });
            closing.add(() -> ended.add("client"));
        }
        assertThat(ended).containsExactly("client", "server");
    }
}
