package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code ./retier lab}: real httpd in network namespaces, agents in charge. Needs Linux and root. */
@Isolated("a lab has the machine's namespaces and groups of processes, and shows what all its nodes do under load")
@Timeout(240)
class LabIT {
    private static final List<Path> CONTROL_GROUPS = List.of(
            Path.of("/sys/fs/cgroup/retier-lab"),
            Path.of("/sys/fs/cgroup/cpu/retier-lab"),
            Path.of("/sys/fs/cgroup/cpuacct/retier-lab"));
    private static final Path HOME = Path.of("/run/retier-lab");

    /** Longer than {@code lab up} itself waits, which then says what its parts said, and ends. */
    private static final Duration LAB_DEADLINE = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private Path launcher;

    @BeforeEach
    void writeLauncher() throws IOException {
        List.of("apache2", "haproxy", "ip", "nsenter").forEach(ExternalTool::find);
        assumeTrue("root".equals(System.getProperty("user.name")), "a lab needs root");
        Path jar =
                Objects.requireNonNull(Path.of("").toAbsolutePath().getParent()).resolve("cli/target/retier.jar");
        launcher = directory.resolve("retier");
        // As ./retier does, but it never builds: Maven is at work already.
        Files.writeString(launcher, """
                #!/bin/sh
                exec %s/bin/java --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
                -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx96m -Xss512k -Dretier.root=%s -jar %s "$@"
                """.formatted(System.getProperty("java.home"), directory, jar));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void removeLab() throws Exception {
        if (launcher != null && Files.exists(launcher)) {
            assertThat(retier("lab", "down").code()).isZero();
        }
    }

    @Test
    void shouldMoveRealNodesUnderLoadAndLeaveNothingBehind() throws Exception {
        Path result = directory.resolve("load.json");
        Outcome up = retier("lab", "up", "--nodes", "4", "--proxies", "1", "-T", "500ms");
        assertThat(up.code()).as(up.output()).isZero();
        assertThat(roles()).containsExactly("shop/proxy", "shop/app", "shop/app", "shop/app");

        List<String> load = new ArrayList<>(List.of("lab", "run", "--", "load"));
        load.addAll(List.of("http://10.77.0.250:8000/static/o1", "-c", "24", "-d", "8s"));
        load.addAll(List.of("--json", result.toString(), "--fail-if", "failed>0"));
        await().atMost(LAB_DEADLINE).pollDelay(Duration.ZERO).until(() -> {
            Outcome run = retier(load.toArray(String[]::new));
            assertThat(run.code()).as(run.output()).isZero();
            assertThat(Files.readString(result)).contains("\"answered");
            return roles().stream().filter("shop/proxy"::equals).count() > 1;
        });
        assertThat(retier("lab", "down").output()).contains("lab: removed");
        assertThatNothingIsLeft();
    }

    /** Whether anything moves then is another matter: on a slow machine an agent that does nothing takes that share. */
    @Test
    void shouldGiveAgentsAShareOfTheirNodes_ifThatIsWanted() throws Exception {
        Outcome up = retier("lab", "up", "--nodes", "4", "--proxies", "1", "--placement", "sidecar");
        assertThat(up.code()).as(up.output()).isZero();
        assertThat(retier("lab", "status", "-p").output()).contains("node-4/server", "node-4/agent", "unlimited");
        assertThat(quota("node-4/agent")).as("of 100 ms").isEqualTo("3000");
        assertThat(quota("node-4")).isEqualTo("10000");
        assertThat(retier("lab", "down").output()).contains("lab: removed");
        assertThatNothingIsLeft();
    }

    /** Microseconds of processor time that a group of the lab may take in a period. */
    private static String quota(String group) throws IOException {
        Path first = Path.of("/sys/fs/cgroup/cpu/retier-lab", group, "cpu.cfs_quota_us");
        Path second = Path.of("/sys/fs/cgroup/retier-lab", group, "cpu.max");
        return Files.readAllLines(Files.exists(first) ? first : second)
                .getFirst()
                .split(" ", 2)[0];
    }

    private List<String> roles() throws Exception {
        Outcome status = retier("lab", "status", "-o", "csv");
        assertThat(status.code()).as(status.output()).isZero();
        return status.output()
                .lines()
                .filter(line -> line.startsWith("node-"))
                .map(line -> line.split(",", -1)[1])
                .toList();
    }

    /**
     * Of two proxies, which there must be, neither can become an app before the spare HAProxy is a proxy: both moves
     * are planned together, and made in this order.
     */
    @Test
    void shouldLetAnHaproxyFreeAProxyForTheAppsAndFailNoRequest() throws Exception {
        Outcome up =
                retier(List.of("lab", "up", "--nodes", "5", "--haproxy", "1", "--proxies", "2", "--min-proxies", "2"));
        assertThat(up.code()).as(up.output()).isZero();
        assertThat(roles()).containsExactly("shop/proxy", "shop/proxy", "shop/app", "shop/app", "spare");

        List<String> load = new ArrayList<>(List.of("lab", "run", "--", "load", "http://10.77.0.250:8000"));
        load.addAll(List.of("--make", "mix", "--mix", "1", "--requests", "1000000", "-c", "24", "-d", "8s"));
        load.addAll(List.of("--fail-if", "failed>0"));
        await().atMost(LAB_DEADLINE).pollDelay(Duration.ZERO).until(() -> {
            Outcome run = retier(load);
            assertThat(run.code()).as(run.output()).isZero();
            return roles().stream().filter("shop/app"::equals).count() == 3;
        });

        assertThat(roles()).last().isEqualTo("shop/proxy");
        List<String> moves = retier(List.of(
                        "history", "--config", HOME.resolve("cluster.yaml").toString(), "-o", "csv"))
                .output()
                .lines()
                .skip(1)
                .map(line -> String.join(" ", List.of(line.split(",", -1)).subList(1, 6)))
                .sorted(Comparator.comparingLong(LabIT::epoch))
                .toList();
        assertThat(moves).as("what moved, in order").hasSize(2);
        assertThat(moves.getFirst()).matches("node-5 \\d+ spare shop/proxy active");
        assertThat(moves.getLast()).matches("node-[12] \\d+ shop/proxy shop/app active");
    }

    private static long epoch(String move) {
        return Long.parseLong(move.split(" ", -1)[1]);
    }

    @Test
    void shouldRemoveWhatACrashHasLeft() throws Exception {
        Process up = start("lab", "up", "--nodes", "3", "--proxies", "1");
        await().atMost(LAB_DEADLINE)
                .failFast(() -> assertThat(up.isAlive()).as(upLog()).isTrue())
                .until(() -> Files.exists(HOME.resolve("node-3/retier.conf")));
        up.destroyForcibly().waitFor();

        Outcome again = retier("lab", "up");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.output()).contains("./retier lab down");

        Outcome down = retier("lab", "down");
        assertThat(down.code()).as(down.output()).isZero();
        assertThat(down.output()).contains("lab: removed");
        assertThatNothingIsLeft();
        assertThat(retier("lab", "down").output()).contains("lab: there was none");
    }

    private String upLog() throws IOException {
        return Files.readString(directory.resolve("up.log"));
    }

    private void assertThatNothingIsLeft() throws Exception {
        assertThat(HOME).doesNotExist();
        CONTROL_GROUPS.forEach(group -> assertThat(group).doesNotExist());
        assertThat(run(List.of("ip", "netns", "list")).output()).doesNotContain("retier-lab");
    }

    private Outcome retier(String... arguments) throws Exception {
        return retier(List.of(arguments));
    }

    private Outcome retier(List<String> arguments) throws Exception {
        return run(command(arguments));
    }

    private List<String> command(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
        words.addAll(arguments);
        return words;
    }

    private Process start(String... arguments) throws IOException {
        return new ProcessBuilder(command(List.of(arguments)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("up.log").toFile())
                .start();
    }

    private record Outcome(int code, String output) {}

    private Outcome run(List<String> words) throws Exception {
        Path log = Files.createTempFile(directory, "out", ".log");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("%s ends", words).isTrue();
        return new Outcome(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
    }
}
