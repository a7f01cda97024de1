package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.link.ReservedPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code retier fabric} as three processes, which are killed (SIGKILL) one at a time in the middle of their work. */
@Timeout(400)
class FabricProcessesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MEMBERS = 3;
    /** Enough that the work is well under way, and far less than all of it. */
    private static final int SOME = 60;

    @TempDir
    private Path folder;

    private final Map<Integer, Process> processes = new TreeMap<>();
    private ReservedPorts ports;
    private List<String> words = List.of();

    @BeforeEach
    void writeCluster() throws IOException {
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of three processes, of some length");
        ports = new ReservedPorts(MEMBERS);
        StringBuilder text = new StringBuilder("name: fabric\nsecret-file: " + secret + "\njournal-directory: "
                + folder.resolve("j") + "\nsites:\n  - {id: 1, name: shop, proxy: {min: 1}, app: {min: 1}}\n"
                + "witnesses: [node-1]\nnodes:\n");
        for (int id = 1; id <= MEMBERS; id++) {
            text.append("""
                      - id: %1$d
                        name: node-%1$d
                        role: shop/%2$s
                        rdma: 127.0.0.1:%3$d
                        agent: 127.0.0.1:1%1$d
                        server: {kind: web-node, address: "127.0.0.1:2%1$d", admin: "127.0.0.1:3%1$d", role-file: %4$s}
                    """.formatted(
                            id, id == 1 ? "proxy" : "app", ports.address(id - 1).getPort(), folder.resolve("r" + id)));
        }
        Files.writeString(folder.resolve("cluster.yaml"), text);
    }

    @AfterEach
    void endAll() throws Exception {
        for (Process process : processes.values()) {
            process.destroyForcibly().waitFor();
        }
        ports.close();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldLoseAndDoubleNoAddition_whenMembersAreKilledOneAtATime() throws Exception {
        startAll("counter", "--adds", "1500", "--pace", "3ms");
        killAndRestart(2);
        killAndRestart(3);
        endWell();

        List<String> added = lines("added");
        JsonNode totals = tableOf(1);
        long counter = totals.get(MEMBERS).path("counter").asLong();
        assertThat(added)
                .doesNotHaveDuplicates()
                .allSatisfy(line -> assertThat(value(line)).isBetween(0L, counter - 1));
        assertThat(totals.get(MEMBERS).path("adds").asLong()).isEqualTo(MEMBERS * 1500L);
        assertThat(counter).isEqualTo(MEMBERS * 1500L);
        // A member that was killed between an addition and its note has added one that nobody has noted.
        assertThat((long) added.size()).isBetween(counter - 2, counter);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldTakeEveryItemOnce_whenMembersAreKilledOneAtATime() throws Exception {
        startAll("queue", "--items", "700", "--pace", "3ms");
        killAndRestart(2);
        killAndRestart(3);
        endWell();

        JsonNode totals = tableOf(1);
        assertThat(totals.get(MEMBERS).path("made").asLong()).isEqualTo(MEMBERS * 700L);
        assertThat(totals.get(MEMBERS).path("taken").asLong()).isEqualTo(MEMBERS * 700L);
        assertThat(lines("made")).doesNotHaveDuplicates().hasSizeBetween(MEMBERS * 700 - 2, MEMBERS * 700);
        assertThat(lines("took")).doesNotHaveDuplicates().hasSizeBetween(MEMBERS * 700 - 2, MEMBERS * 700);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldMeetInTheSameRounds_whenMembersAreKilledOneAtATime() throws Exception {
        startAll("barrier", "--rounds", "400", "--pace", "3ms");
        killAndRestart(2);
        killAndRestart(3);
        endWell();

        List<String> rounds = linesOf(1, "passed");
        assertThat(rounds.stream().map(FabricProcessesIT::value)).isSorted().doesNotHaveDuplicates();
        for (int member = 2; member <= MEMBERS; member++) {
            assertThat(linesOf(member, "passed")).doesNotHaveDuplicates();
            assertThat(rounds).containsAll(linesOf(member, "passed"));
            assertThat(rounds.size() - linesOf(member, "passed").size()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldTellEveryMemberLost_whenTheHomeOfACounterIsKilled() throws Exception {
        startAll("counter", "--adds", "100000");
        killTheHome();
        assertThat(lines("added")).doesNotHaveDuplicates();
        for (int member = 1; member <= MEMBERS; member++) {
            assertThat(linesOf(member, "added").stream().map(FabricProcessesIT::value))
                    .isSorted();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldTellEveryMemberLost_whenTheHomeOfAQueueIsKilled() throws Exception {
        startAll("queue", "--items", "9000");
        killTheHome();
        assertThat(lines("took")).doesNotHaveDuplicates();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldTellEveryMemberLost_whenTheHomeOfABarrierIsKilled() throws Exception {
        startAll("barrier", "--rounds", "100000");
        killTheHome();
        assertThat(linesOf(2, "passed").stream().map(FabricProcessesIT::value)).isSorted();
    }

    private void startAll(String... what) throws IOException {
        words = List.of(what);
        for (int member = 1; member <= MEMBERS; member++) {
            start(member);
        }
        for (int member = 1; member <= MEMBERS; member++) {
            awaitSteps(member, SOME);
        }
    }

    private void killAndRestart(int member) throws Exception {
        kill(member);
        int before = steps(member);
        start(member);
        awaitSteps(member, before + SOME);
    }

    private void kill(int member) throws InterruptedException {
        Process process = process(member);
        assertThat(process.isAlive())
                .as(() -> "still at work; " + output(member))
                .isTrue();
        process.destroyForcibly().waitFor();
    }

    private void killTheHome() throws Exception {
        kill(1);
        for (int member = 2; member <= MEMBERS; member++) {
            assertThat(process(member).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process(member).exitValue()).as(output(member)).isEqualTo(1);
            assertThat(output(member)).contains("\"outcome\" : \"LOST\"").contains("retier: LOST: ");
        }
    }

    private void endWell() throws InterruptedException {
        for (int member = 1; member <= MEMBERS; member++) {
            assertThat(process(member).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process(member).exitValue()).as(output(member)).isZero();
        }
    }

    private Process process(int member) {
        Process process = processes.get(member);
        assertThat(process).isNotNull();
        return process;
    }

    private void start(int member) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.retier.cli.Main",
                "fabric"));
        command.addAll(words);
        command.addAll(List.of("--config", folder.resolve("cluster.yaml").toString()));
        command.addAll(List.of("--node", "node-" + member, "--port-offset", "0", "-o", "json"));
        command.addAll(List.of(
                "--patience", PATIENCE.toSeconds() + "s", "--log", log(member).toString()));
        processes.put(
                member,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out-" + member).toFile())
                        .start());
    }

    private Path log(int member) {
        return folder.resolve("log-" + member);
    }

    private void awaitSteps(int member, int count) {
        await().atMost(PATIENCE)
                .failFast(() -> assertThat(process(member).isAlive())
                        .as(() -> output(member))
                        .isTrue())
                .until(() -> steps(member) >= count);
    }

    private int steps(int member) throws IOException {
        return linesOf(member, "").size();
    }

    /** What the process has said. */
    private String output(int member) {
        try {
            return Files.readString(folder.resolve("out-" + member));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private JsonNode tableOf(int member) {
        String text = output(member);
        return JsonMapper.shared().readTree(text.substring(text.indexOf("[ {"), text.lastIndexOf("} ]") + 3));
    }

    /** The notes of all processes, in all their lives, that begin so. */
    private List<String> lines(String beginning) throws IOException {
        List<String> all = new ArrayList<>();
        for (int member = 1; member <= MEMBERS; member++) {
            all.addAll(linesOf(member, beginning));
        }
        return all;
    }

    private List<String> linesOf(int member, String beginning) throws IOException {
        if (!Files.exists(log(member))) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(log(member))) {
            return lines.filter(line -> line.startsWith(beginning)).toList();
        }
    }

    private static long value(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }
}
