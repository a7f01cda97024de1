package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.retier.link.ReservedPorts;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A volume server and its clients' machines as processes, for a test in a folder of its own. */
abstract class VolumeProcesses {
    static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger TESTS = new AtomicInteger();

    /** A volume's name that no other test on this machine uses at the same time: what mounts leave goes by it. */
    final String mounted = "mounted-" + ProcessHandle.current().pid() + "-" + TESTS.incrementAndGet();

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
        if (Files.exists(Path.of("/run/retier-volumes", mounted))) { // a test that failed has left it
            for (String each : List.of("here", "there")) {
                run("clean", unmount(each));
            }
        }
        for (Process process : running.values()) {
            process.destroyForcibly().waitFor();
        }
        ports.close();
    }

    final Process begin(String name, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile()) // fio leaves files where it runs
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(out(name).toFile()))
                .start();
        running.put(name, process);
        return process;
    }

    /** Leaves the test out where nothing can be mounted. */
    static void requireMounts() {
        ExternalTool.find("nbdfuse");
        for (String needed : List.of("/dev/fuse", "/dev/loop-control")) {
            assumeThat(Path.of(needed))
                    .as("left out, as a mount needs %s and the right to use it", needed)
                    .isWritable();
        }
    }

    /** Where everything of the test lies. */
    final Path folder() {
        return folder;
    }

    private Path out(String name) {
        return folder.resolve(name + ".out");
    }

    final String output(String name) {
        try {
            return Files.readString(out(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Where the server listens. */
    final InetSocketAddress address() {
        return ports.address(0);
    }

    final List<String> volume(String... arguments) {
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

    /** It asks no server. */
    final List<String> unmount(String where, String... options) {
        List<String> command = volume("unmount", folder.resolve(where).toString());
        command.subList(command.size() - 2, command.size()).clear();
        command.addAll(List.of(options));
        return command;
    }

    /** Starts one that goes on, and waits until it says so. */
    final void start(String name, String ready, List<String> command) throws IOException {
        Process process = begin(name, command);
        await().atMost(PATIENCE)
                .failFast(() ->
                        assertThat(process.isAlive()).as(() -> output(name)).isTrue())
                .until(() -> output(name).contains(ready));
    }

    final void serve() throws IOException {
        start("server", "volume server serves", volume("serve"));
    }

    final void attach(String name, String... more) throws IOException {
        List<String> command =
                volume("attach", "accounts", "--nbd", socket(name).toString());
        command.addAll(List.of(more));
        start(name, "; try:", command);
    }

    final Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    final String uri(String name) {
        return "nbd+unix:///accounts?socket=" + socket(name);
    }

    final void kill(String name) throws InterruptedException {
        process(name).destroyForcibly().waitFor();
    }

    final Process process(String name) {
        Process process = running.get(name);
        assertThat(process).isNotNull();
        return process;
    }

    final int run(String name, List<String> command) throws Exception {
        Process process = begin(name, command);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(() -> output(name))
                .isTrue();
        return process.exitValue();
    }

    final void runWell(String name, List<String> command) throws Exception {
        assertThat(run(name, command)).as(() -> output(name)).isZero();
    }
}
