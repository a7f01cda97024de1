package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.retier.link.ReservedPorts;
import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.Repeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code retier volume} as processes of a server and of its clients' machines, with the programs that people use. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class VolumeProcessesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    private final Map<String, Process> running = new TreeMap<>();
    private ReservedPorts ports = new ReservedPorts(1);

    @BeforeEach
    void write() throws IOException {
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of a volume server, of some length");
        Files.writeString(folder.resolve("pool.yaml"), """
                directory: %s
                listen: 127.0.0.1:%d
                secret-file: %s
                journal-bytes: 64m
                """.formatted(
                        folder.resolve("pool"), ports.address(0).getPort(), secret));
    }

    @AfterEach
    void endAll() throws Exception {
        for (String each : List.of("here", "there")) {
            if (Files.exists(folder.resolve(each))) {
                run("clean", unmount(each)); // what a test that failed has left
            }
        }
        for (Process process : running.values()) {
            process.destroyForcibly().waitFor();
        }
        ports.close();
    }

    private Process begin(String name, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(out(name).toFile()))
                .start();
        running.put(name, process);
        return process;
    }

    private Path out(String name) {
        return folder.resolve(name + ".out");
    }

    private String output(String name) {
        try {
            return Files.readString(out(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private List<String> volume(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.retier.cli.Main",
                "volume"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--config", folder.resolve("pool.yaml").toString()));
        return command;
    }

    private List<String> unmount(String where) {
        List<String> command = volume("unmount", folder.resolve(where).toString());
        return command.subList(0, command.size() - 2); // it asks no server
    }

    /** Starts one that goes on, and waits until it says so. */
    private void start(String name, String ready, List<String> command) throws IOException {
        Process process = begin(name, command);
        await().atMost(PATIENCE)
                .failFast(() ->
                        assertThat(process.isAlive()).as(() -> output(name)).isTrue())
                .until(() -> output(name).contains(ready));
    }

    private void serve() throws IOException {
        start("server", "volume server serves", volume("serve"));
    }

    private void attach(String name, String... more) throws IOException {
        List<String> command =
                volume("attach", "accounts", "--nbd", socket(name).toString());
        command.addAll(List.of(more));
        start(name, "; try:", command);
    }

    private Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    private String uri(String name) {
        return "nbd+unix:///accounts?socket=" + socket(name);
    }

    private void kill(String name) throws InterruptedException {
        process(name).destroyForcibly().waitFor();
    }

    private Process process(String name) {
        Process process = running.get(name);
        assertThat(process).isNotNull();
        return process;
    }

    private int run(String name, List<String> command) throws Exception {
        Process process = begin(name, command);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(() -> output(name))
                .isTrue();
        return process.exitValue();
    }

    private void runWell(String name, List<String> command) throws Exception {
        assertThat(run(name, command)).as(() -> output(name)).isZero();
    }

    /** The second and the fifth promise: what was answered is kept, and what is sent again harms nothing. */
    @Test
    void shouldLoseNothing_whenTheServerIsKilledWhileFioWritesAndVerifies() throws Exception {
        String fio = ExternalTool.find("fio").toString();
        serve();
        runWell("create", volume("create", "accounts", "--size", "1g"));
        attach("client");
        Random random = new Random(5);
        int kills = Repeats.of(5);
        for (int round = 0; kills > 0; round++) {
            String name = "fio-" + round;
            Process verifying = begin(
                    name,
                    List.of(
                            fio,
                            "--name=v",
                            "--ioengine=nbd",
                            "--uri=" + uri("client"),
                            "--rw=randwrite",
                            "--bsrange=512-64k",
                            "--size=192m",
                            "--iodepth=16",
                            "--verify=crc32c",
                            "--verify_fatal=1",
                            "--do_verify=1",
                            "--fsync=64",
                            "--randseed=" + round));
            while (kills > 0 && !verifying.waitFor(1000 + random.nextInt(2000), TimeUnit.MILLISECONDS)) {
                kill("server");
                kills--;
                serve();
            }
            assertThat(verifying.waitFor(4 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(verifying.exitValue()).as(() -> output(name)).isZero();
        }
        process("client").destroy();
        assertThat(process("client").waitFor()).as(() -> output("client")).isEqualTo(143);
    }

    /** The sixth promise: one writer; what comes of the one before is refused. */
    @Test
    void shouldFenceTheMachineThatHadIt_andGiveItBackInGoodOrder() throws Exception {
        String io = ExternalTool.find("qemu-io").toString();
        serve();
        runWell("create", volume("create", "accounts", "--size", "64m"));
        attach("one");
        runWell("write", List.of(io, "-f", "raw", "-c", "write -P 17 0 1m", uri("one")));
        assertThat(run(
                        "refused",
                        volume("attach", "accounts", "--nbd", socket("two").toString())))
                .as(() -> output("refused"))
                .isEqualTo(3);
        assertThat(output("refused")).contains("has it attached");
        attach("two", "--force");
        runWell("read", List.of(io, "-f", "raw", "-c", "read -P 17 0 1m", "-c", "write -P 18 0 1m", uri("two")));
        assertThat(run("fenced", List.of(io, "-f", "raw", "-c", "write -P 19 0 1m", uri("one"))))
                .as(() -> output("fenced"))
                .isNotZero();
        process("two").destroy();
        process("two").waitFor();
        assertThat(socket("two")).doesNotExist();

        process("server").destroy();
        process("server").waitFor();
        serve();
        attach("three");
        runWell("again", List.of(io, "-f", "raw", "-c", "read -P 18 0 1m", uri("three")));
        runWell("list", volume("list", "-o", "csv"));
        assertThat(output("list")).containsPattern("accounts,67108864,client \\d+,3");
    }

    /** A file system on it, through the death of the server, of the machine's own process, and to another folder. */
    @Test
    void shouldBeMountedAgain_whateverWasKilled() throws Exception {
        ExternalTool.find("nbdfuse");
        assumeThat(Path.of("/dev/fuse")).as("FUSE").isWritable();
        assumeThat(Path.of("/dev/loop-control")).as("loop devices").isWritable();
        Path here = Files.createDirectory(folder.resolve("here"));
        Path there = Files.createDirectory(folder.resolve("there"));
        serve();
        String name = "mounted-" + ProcessHandle.current().pid();
        runWell("create", volume("create", name, "--size", "256m"));
        assertThat(run("bare", volume("mount", name, here.toString()))).isEqualTo(1);
        assertThat(output("bare")).contains("has no file system: --mkfs makes one");
        start("mount", "is mounted on", volume("mount", name, here.toString(), "--mkfs"));
        byte[] bytes = new byte[8 << 20];
        new Random(1).nextBytes(bytes);
        kill("server");
        Process writing = begin(
                "dd",
                List.of("dd", "if=/dev/urandom", "of=" + here.resolve("random"), "bs=64k", "count=64", "conv=fsync"));
        serve();
        assertThat(writing.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(writing.exitValue()).as(() -> output("dd")).isZero();
        Files.write(here.resolve("file"), bytes);
        runWell("sync", List.of("sync", "-f", here.toString()));
        kill("mount");
        start("mount", "is mounted on", volume("mount", name, there.toString(), "--force"));
        assertThat(Files.readAllBytes(there.resolve("file"))).isEqualTo(bytes);
        assertThat(here).isEmptyDirectory();
        assertThat(run("other", volume("mount", name, here.toString(), "--force")))
                .isEqualTo(3);
        assertThat(output("other")).contains("has it mounted on " + there);
        runWell("unmount", unmount("there"));
        assertThat(there).isEmptyDirectory();
        assertThat(process("mount").waitFor()).as(() -> output("mount")).isEqualTo(143);
        start("mount", "is mounted on", volume("mount", name, here.toString()));
        assertThat(Files.readAllBytes(here.resolve("file"))).isEqualTo(bytes);
        runWell("unmount", unmount("here"));
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        assertThat(run("away", volume("list"))).isEqualTo(1);
        assertThat(output("away"))
                .contains("has not been reached for 10 s: is it running, and is the secret the same?");
        serve();
        assertThat(run("none", volume("attach", "accounts", "--nbd", socket("a").toString())))
                .isEqualTo(1);
        assertThat(output("none")).contains("there is no volume \"accounts\" here");
        assertThat(run("odd", volume("create", "accounts", "--size", "1000"))).isEqualTo(1);
        assertThat(output("odd")).contains("a volume of 1000 bytes; give it a multiple of 4096");
        assertThat(run("twice", volume("serve"))).isEqualTo(1);
        assertThat(output("twice")).contains("is in use by another volume server");
        Files.writeString(folder.resolve("other"), "another secret, of some length, too");
        assertThat(run(
                        "stranger",
                        volume(
                                "list",
                                "--patience",
                                "1s",
                                "--secret-file",
                                folder.resolve("other").toString())))
                .isEqualTo(1);
        assertThat(output("server")).contains("does not prove the cluster secret");
    }
}
