package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The measurement runs and keeps what it found; what it found is no test's affair. */
class IwarpBenchTest {
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEveryTargetAndKeepIt_whenRunIsShort() throws IOException {
        StringWriter out = new StringWriter();
        int code = Bench.command()
                .setOut(new PrintWriter(out))
                .execute(
                        "iwarp",
                        "--rounds",
                        "1",
                        "--scale",
                        "0.01",
                        "--targets-only",
                        "-o",
                        "json",
                        "--record",
                        directory.toString(),
                        "--repeat-minutes",
                        "0");

        assertThat(code).isZero();
        JsonNode tables = JsonMapper.shared().readTree(out.toString()).path("tables");
        assertThat(tables.path("targets"))
                .hasSize(12)
                .allSatisfy(row -> assertThat(row.propertyNames())
                        .contains("what", "unit", "tcp", "iwarp", "ratio", "ratio_from", "ratio_to", "verdict"));
        assertThat(tables.path("regions")).hasSize(8);
        assertThat(Files.readString(directory.resolve("iwarp.md")))
                .contains("half round trip, write 4 B", "processors taken meanwhile", "rounds repeated");
        assertThat(directory.resolve("iwarp.html")).as("a page without a chart").doesNotExist();
    }

    @Test
    void shouldMeasureOnlyWhatIsNamed_whenAsked() throws IOException {
        StringWriter out = new StringWriter();
        int code = Bench.command()
                .setOut(new PrintWriter(out))
                .execute("iwarp", "--rounds", "1", "--scale", "0.01", "--only", "served", "-o", "json");

        assertThat(code).isZero();
        JsonNode tables = JsonMapper.shared().readTree(out.toString()).path("tables");
        assertThat(tables.path("targets"))
                .singleElement()
                .satisfies(row -> assertThat(row.path("what").asString()).isEqualTo("served reads"));
        assertThat(tables.has("regions")).isFalse();
    }

    @Test
    void shouldRefuse_whenNothingIsToBeMeasured() {
        assertThat(Bench.run("iwarp", "--rounds", "0")).isEqualTo(64);
        assertThat(Bench.run("iwarp", "--only", "no such target")).isEqualTo(64);
    }
}
