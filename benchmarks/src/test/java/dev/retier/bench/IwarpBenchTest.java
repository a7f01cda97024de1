package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement runs and keeps what it found; what it found is no test's affair. */
class IwarpBenchTest {
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEveryTargetAndKeepIt_whenRunIsShort() throws IOException {
        int code = Bench.run(
                "iwarp", "--rounds", "1", "--scale", "0.01", "--targets-only", "--record", directory.toString());

        assertThat(code).isZero();
        List<String> targets = Files.readAllLines(directory.resolve("iwarp-targets.csv"));
        assertThat(targets).hasSize(1 + 7);
        assertThat(targets.getFirst()).startsWith("what,unit,tcp,iwarp,ratio,ratio_least,ratio_most,target,met");
        assertThat(Files.readAllLines(directory.resolve("iwarp-regions.csv"))).hasSize(1 + 8);
        assertThat(Files.readString(directory.resolve("iwarp.md")))
                .contains("half round trip, write 4 B", "processors taken meanwhile");
    }
}
