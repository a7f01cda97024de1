package dev.retier.bench.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {
    @Test
    void shouldReadClassesAndDigests_whenGivenARecord(@TempDir Path folder) throws IOException {
        Path record = Files.writeString(folder.resolve("mutation-link.md"), """
                # Planted bugs

                | package | kind | mutants |
                |---|---|---|
                | dev.retier.link | driver | 44 |

                | class | source | mutants | killed | killed percent |
                |---|---|---|---|---|
                | dev.retier.link.Completions | f89e5d5ff773 | 44 | 42 | 95 |
                | dev.retier.link.Counters | bcefbd9feda7 | 5 | 5 | 100 |

                | class | method | line |
                |---|---|---|
                | dev.retier.link.Completions | awaitOne | 17 |
                """);

        assertThat(Sources.recorded(record))
                .isEqualTo(Map.of(
                        "dev.retier.link.Completions", "f89e5d5ff773", "dev.retier.link.Counters", "bcefbd9feda7"));
    }
}
