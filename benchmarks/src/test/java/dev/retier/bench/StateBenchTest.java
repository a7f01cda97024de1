package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StateBenchTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindNoFaultAndKeepTheFigures_whenSomeWorldsAreSearched() throws IOException {
        assertThat(Bench.run("faults", "--seeds", "60", "--record", folder.toString()))
                .isZero();

        assertThat(Files.readString(folder.resolve("faults.md")))
                .contains("| move | 60 | 0 |", "| ticket | 60 | 0 |", "| read-write | 60 | 0 |", "| cluster | 60 | 0 |")
                .contains("| volume | 60 | 0 |")
                .contains("faults --world cluster,move,ticket,read-write,volume --first 0 --seeds 60");
    }

    @Test
    void shouldStop_whenTheTimeIsOver() throws IOException {
        assertThat(Bench.run("faults", "--world", "ticket", "--minutes", "0.0001", "--record", folder.toString()))
                .isZero();

        assertThat(Files.readString(folder.resolve("faults-ticket.md"))).contains("| ticket | 1000 | 0 |");
    }

    @Test
    void shouldMeasureASmallCellAndAcceptNoTornRead_whenGivenASecond() throws IOException {
        StringWriter out = new StringWriter();
        assertThat(Bench.command()
                        .setOut(new PrintWriter(out))
                        .execute(
                                "state",
                                "--nodes",
                                "3",
                                "--seconds",
                                "0.2",
                                "-o",
                                "csv",
                                "--record",
                                folder.toString()))
                .isZero();

        assertThat(out.toString())
                .startsWith("table,what,nodes,median_us,")
                .contains("operations,lock,3,", "operations,look,3,", "operations,announcement,3,")
                .contains("\ntorn,1000000,", "\nmachine,cores,");
        assertThat(Files.readString(folder.resolve("state.md"))).contains("| lock | 3 |", "| 1000000 |");
        assertThat(folder.resolve("state.html")).exists();
        assertThat(folder.toFile().list()).hasSize(2);
    }

    @Test
    void shouldCompareNamesWithKeysInPairs_whenAFewAreWritten() throws IOException {
        StringWriter out = new StringWriter();
        assertThat(Bench.command()
                        .setOut(new PrintWriter(out))
                        .execute(
                                "regions",
                                "--regions",
                                "1,20",
                                "--mib",
                                "1",
                                "--pairs",
                                "3",
                                "--writes",
                                "100",
                                "-o",
                                "json"))
                .isZero();

        JsonNode result = JsonMapper.shared().readTree(out.toString());
        assertThat(result.path("tables").path("writes"))
                .hasSize(6)
                .allSatisfy(
                        row -> assertThat(row.path("named_over_raw").asDouble()).isPositive());
        assertThat(result.path("notes")).hasSize(1);
        assertThat(Bench.run("regions", "--pairs", "0")).isEqualTo(64);
    }

    @Test
    void shouldReplayOneWorldOrRefuse_whenAsked() {
        assertThat(Bench.run("faults", "--seed", "7")).isZero();
        assertThat(Bench.run("faults", "--seeds", "0")).isEqualTo(64);
        assertThat(Bench.run("faults", "--world", "padlock")).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"state", "rpc", "regions"})
    void shouldEndAndSayWhatIsMissing_whenTheTransportIsNotHere(String measurement) {
        String[] devices = new File("/sys/class/infiniband").list();
        assumeFalse(devices != null && devices.length > 0, "this machine has RDMA devices");
        StringWriter said = new StringWriter();

        int code = Bench.command().setErr(new PrintWriter(said)).execute(measurement, "--transport", "native");

        assertThat(code).as(said.toString()).isEqualTo(78);
        assertThat(said.toString())
                .startsWith("retier: transport native: ")
                .hasLineCount(1)
                .doesNotContain("please report");
    }
}
