package dev.retier.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four Debian machines as administrators have them, set up by the package's commands alone, under clients of the edge
 * and of each machine's every host and port: through moves, reloads by somebody else, and both at once.
 */
@Timeout(1560)
class FourMachinesIT {
    /** A multiple of four, as the fourth move of a round leads back to where the first began. */
    private static final int MOVES = 200;

    private static final int RELOADS = 36;
    /** What is counted is rare, so that its chance is that of a Poisson process: three deviations, and one for none. */
    private static final double DEVIATIONS = 3;

    @TempDir
    private Path folder = Path.of("");

    private record Asked(long right, long wrong, long failed) {}

    /** What the clients were answered in a part of the run, whose name the script has said before. */
    private static Asked asked(List<String> said, String part) {
        List<long[]> counts = said.stream()
                .dropWhile(line -> !line.equals("asked " + part))
                .skip(1)
                .takeWhile(line -> line.startsWith("http"))
                .map(line -> line.substring(line.indexOf(',') + 1).split(",", -1))
                .map(cells -> new long[] {Long.parseLong(cells[0]), Long.parseLong(cells[1]), Long.parseLong(cells[2])})
                .toList();
        assertThat(counts).as("clients of %s", part).hasSize(21).allMatch(count -> count[0] > 0);
        return new Asked(sum(counts, 0), sum(counts, 1), sum(counts, 2));
    }

    private static long sum(List<long[]> counts, int cell) {
        return counts.stream().mapToLong(count -> count[cell]).sum();
    }

    private void copyScripts() throws IOException {
        for (String name : List.of("enter.sh", "node.sh", "files.sh", "agent.sh", "edge.sh")) {
            Files.writeString(folder.resolve(name), text(name));
        }
        String cluster = Files.readString(Path.of("..", "conf", "cluster-debian.yaml"));
        Files.writeString(
                folder.resolve("cluster.yaml"),
                cluster.replace("192.0.2.10:", "10.88.0.20:").replace("192.0.2.", "10.88.0.1"));
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(FourMachinesIT.class.getResourceAsStream("four/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> run() throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        ExternalTool.find("unshare").toString(),
                        "--mount",
                        "--net",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--uts",
                        "sh",
                        folder.resolve("enter.sh").toString())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("FOLDER", folder.toString());
        builder.environment().put("PACKAGES", Path.of("target").toAbsolutePath().toString());
        builder.environment()
                .put(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment()
                .put("CLASSES", Path.of("target/test-classes").toAbsolutePath().toString());
        builder.environment().put("MOVES", String.valueOf(MOVES));
        builder.environment().put("RELOADS", String.valueOf(RELOADS));
        Process process = builder.start();
        boolean isDone = process.waitFor(25, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        assertThat(isDone ? process.exitValue() : -1)
                .as(Files.readString(out) + Files.readString(folder.resolve("err")))
                .isZero();
        return Files.readAllLines(out);
    }

    @Test
    void shouldGiveEverybodyTheRightContent_throughMovesAndReloads() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "machines in namespaces need root");
        List.of("unshare", "dpkg", "ip", "setpriv", "apache2", "haproxy", "openssl", "php-fpm8.2")
                .forEach(ExternalTool::find);
        copyScripts();

        List<String> said = run();

        String errors = Files.readString(folder.resolve("err"));
        assertThat(said.stream().filter(line -> line.startsWith("  [")))
                .as("what four doctors say")
                .hasSizeGreaterThan(4 * 15)
                .allMatch(line -> line.startsWith("  [+]"));
        assertThat(said.stream().filter(line -> line.matches("\\w+,web-\\d,.*")))
                .hasSize(MOVES + 2 * RELOADS)
                .allMatch(line -> line.startsWith("done,"));
        assertThat(asked(said, "moves"))
                .as("through %d moves; %s", MOVES, errors)
                .matches(asked -> asked.wrong == 0 && asked.failed == 0);
        Asked bare = asked(said, "reloads");
        Asked both = asked(said, "both");
        System.out.println("alone: " + bare + "; in moves: " + both);
        assertThat(bare.wrong + both.wrong).as("other content; %s", errors).isZero();
        assertThat((double) both.failed)
                .as("reloads in moves, against reloads alone: %s and %s; %s", both, bare, errors)
                .isLessThanOrEqualTo(bare.failed + DEVIATIONS * Math.sqrt((double) bare.failed) + 1);
    }
}
