package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each file is a timeline of loads, and the decisions with their reasons. {@code -Dscenario.rewrite=true} writes the
 * present answers into the files, for a person to review.
 */
class ScenarioTest {
    private static final Path FOLDER = Path.of("src", "test", "resources", "decide");

    static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void shouldDecideAsWritten_whenPlayed(String file) throws IOException {
        String written = Files.readString(FOLDER.resolve(file));
        String played = Scenario.play(written);
        if (Boolean.getBoolean("scenario.rewrite")) {
            Files.writeString(FOLDER.resolve(file), played);
        }
        assertThat(played).isEqualTo(written);
    }

    @Test
    void shouldHaveThirtyScenarios_whenCounted() throws IOException {
        assertThat(files()).hasSizeGreaterThanOrEqualTo(30);
    }
}
