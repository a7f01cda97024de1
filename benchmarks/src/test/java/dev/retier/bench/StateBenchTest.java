package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateBenchTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindNoFaultAndKeepTheFigures_whenSomeWorldsAreSearched() throws IOException {
        assertThat(Bench.run("faults", "--seeds", "60", "--record", folder.toString()))
                .isZero();

        assertThat(Files.readString(folder.resolve("faults-locks.csv")))
                .contains("move,60,0,", "ticket,60,0,", "read-write,60,0,");
        assertThat(Files.readString(folder.resolve("faults-clusters.csv"))).contains("cluster,60,0,");
        assertThat(Files.readString(folder.resolve("faults.md")))
                .contains("faults --world cluster,move,ticket,read-write --first 0 --seeds 60");
    }

    @Test
    void shouldStop_whenTheTimeIsOver() throws IOException {
        assertThat(Bench.run("faults", "--world", "ticket", "--minutes", "0.0001", "--record", folder.toString()))
                .isZero();

        assertThat(Files.readString(folder.resolve("faults-ticket-locks.csv"))).contains("ticket,1000,0,");
    }

    @Test
    void shouldMeasureASmallCellAndAcceptNoTornRead_whenGivenASecond() throws IOException {
        assertThat(Bench.run("state", "--nodes", "3", "--seconds", "0.2", "--record", folder.toString()))
                .isZero();

        assertThat(Files.readString(folder.resolve("state-operations.csv")))
                .contains("lock,3,", "look,3,", "announcement,3,");
        assertThat(Files.readString(folder.resolve("state-torn.csv"))).contains("1000000,");
    }

    @Test
    void shouldCompareNamesWithKeysInPairs_whenAFewAreWritten() throws IOException {
        assertThat(Bench.run(
                        "regions",
                        "--regions",
                        "1,20",
                        "--mib",
                        "1",
                        "--pairs",
                        "3",
                        "--writes",
                        "100",
                        "--record",
                        folder.toString()))
                .isZero();

        assertThat(Files.readAllLines(folder.resolve("regions-writes.csv"))).hasSize(1 + 6);
        assertThat(Bench.run("regions", "--pairs", "0")).isEqualTo(64);
    }

    @Test
    void shouldReplayOneWorldOrRefuse_whenAsked() {
        assertThat(Bench.run("faults", "--seed", "7")).isZero();
        assertThat(Bench.run("faults", "--seeds", "0")).isEqualTo(64);
        assertThat(Bench.run("faults", "--world", "padlock")).isEqualTo(64);
    }
}
