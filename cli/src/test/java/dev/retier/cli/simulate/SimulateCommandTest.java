package dev.retier.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
    private static final String CLUSTER =
            Path.of("..", "conf", "cluster.yaml").toAbsolutePath().toString();

    @TempDir
    private Path folder;

    private Path promising(double guarantee) throws IOException {
        String text = Files.readString(Path.of(CLUSTER));
        return Files.writeString(
                folder.resolve("promising.yaml"),
                text.replace("    priority: 1\n", "    priority: 1\n    guarantee: " + guarantee + "\n"));
    }

    @Test
    void shouldCompareAllWays_whenGivenAClusterAndALoad() throws IOException {
        Path page = folder.resolve("page.html");

        CommandRun run = CommandRun.of(
                "simulate", CLUSTER, "--make", "bursts", "--burst", "4096", "-o", "csv", "--html", page.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines().skip(1).map(line -> line.substring(0, line.indexOf(','))))
                .containsExactly(
                        "reconfigured", "best rigid 2p+5a", "given rigid 2p+5a", "over-provisioned 6p+6a", "oracle");
        assertThat(Files.readString(page))
                .contains("<svg", "Throughput of shop", "the members of a tier changed just now", "SETTLING")
                .doesNotContain("<script src");
    }

    @Test
    void shouldPrintTheSameBytes_whenRunAgain() {
        CommandRun first = CommandRun.of("simulate", CLUSTER, "--burst", "2048", "--seed", "7", "-o", "json");
        CommandRun second = CommandRun.of("simulate", CLUSTER, "--burst", "2048", "--seed", "7", "-o", "json");

        assertThat(first.code()).isZero();
        assertThat(second.out()).isEqualTo(first.out());
    }

    /** httpd has other members some hundredths of a second after a web-node would have. */
    @Test
    void shouldTakeLonger_whenTheServersAreHttpd() {
        String[] usual = {"simulate", CLUSTER, "--make", "bursts", "--burst", "2048", "--kind", "web-node", "-o", "csv"
        };
        String[] httpd = usual.clone();
        httpd[7] = "httpd";

        double seconds = seconds(CommandRun.of(usual));

        assertThat(seconds(CommandRun.of(httpd))).isGreaterThan(seconds);
    }

    /** Of the row of the agents. */
    private static double seconds(CommandRun run) {
        assertThat(run.code()).as(run.err()).isZero();
        return Double.parseDouble(
                run.out().lines().skip(1).findFirst().orElseThrow().split(",", -1)[5]);
    }

    @Test
    void shouldFindFewerNodesThanRigidNeeds_whenAGuaranteeIsAsked() throws IOException {
        CommandRun run = CommandRun.of(
                "simulate",
                promising(300).toString(),
                "--burst",
                "16384",
                "--find-fewest-nodes",
                "--keep",
                "0.9",
                "-o",
                "csv");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^reconfigured,6,.*,yes$")
                .containsPattern("(?m)^best rigid,7,.*,yes$");
    }

    @ParameterizedTest
    @CsvSource({
        "78, cannot be read, nosuch.yaml",
        "1, does not exist, CLUSTER nosuch.log",
        "64, no node of the file has this name, CLUSTER --capacity nosuch=2",
        "64, CAPACITY:STATIC:ORIGIN:FORWARD:DYNAMIC, CLUSTER --costs 1:2",
        "64, must be 2 to 256, CLUSTER --nodes 1",
        "64, must be 1 to, CLUSTER --clients 0",
        "64, is not a multiple of 100 ms, CLUSTER --interval 150ms",
        "64, no site has a guarantee, CLUSTER --find-fewest-nodes",
        "1, cannot be written, CLUSTER --html /nosuch/page.html",
    })
    void shouldSayWhatIsWrong_whenTheInputIs(int code, String message, String arguments) {
        CommandRun run = CommandRun.of(("simulate " + arguments.replace("CLUSTER", CLUSTER)).split(" ", -1));

        assertThat(run.code()).isEqualTo(code);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
    }
}
