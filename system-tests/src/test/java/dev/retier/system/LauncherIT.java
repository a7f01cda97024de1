package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.ExternalTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./retier} on machines that lack something, played by a PATH of its own and a copy in an empty checkout. */
class LauncherIT {
    /** What the script calls besides Maven and Java. */
    private static final List<String> NEEDED =
            List.of("bash", "dirname", "readlink", "grep", "find", "mkdir", "sed", "tee", "touch", "head", "id", "rm");

    @TempDir
    private Path directory;

    private Path checkout;
    private Path path;

    @BeforeEach
    void prepareCheckoutAndPath() throws IOException {
        checkout = Files.createDirectories(directory.resolve("checkout"));
        path = Files.createDirectories(directory.resolve("bin"));
        Files.copy(repository().resolve("retier"), checkout.resolve("retier"));
        Path options = Files.createDirectories(checkout.resolve("dist/src/lib")).resolve("java-options");
        Files.copy(repository().resolve("dist/src/lib/java-options"), options);
        for (String program : NEEDED) {
            Files.createSymbolicLink(path.resolve(program), onPath(program));
        }
    }

    @Test
    void shouldNameTheRemedy_whenThereIsNoJdk25() throws Exception {
        Outcome outcome = launch(Map.of("RETIER_JVM_FOLDERS", "/nonexistent"), "version");

        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.output).contains("no JDK 25 found").contains("set JAVA_HOME");
    }

    @Test
    void shouldNameTheRemedy_whenThereIsNoMaven() throws Exception {
        Outcome outcome = launch(Map.of("JAVA_HOME", System.getProperty("java.home")), "version");

        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.output).contains("no Maven found").contains("Install Maven");
    }

    @Test
    void shouldFindTheJdkInAUsualFolder_whenJavaHomeIsAnother() throws Exception {
        Outcome outcome = launch(
                Map.of("JAVA_HOME", "/nonexistent", "RETIER_JVM_FOLDERS", System.getProperty("java.home")), "version");

        assertThat(outcome.output).doesNotContain("no JDK 25").contains("no Maven found");
    }

    @Test
    void shouldFail_whenARequiredTestToolIsMissing() throws Exception {
        Files.createSymbolicLink(path.resolve("mvn"), onPath("true"));

        Outcome outcome = launch(Map.of("JAVA_HOME", System.getProperty("java.home")), "test", "--require-tools");

        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.output).contains("missing: chromium tshark").contains("apt-get install");
    }

    @Test
    void shouldSayWhichTestsAreLeftOut_whenAToolIsMissing() throws Exception {
        Files.createSymbolicLink(path.resolve("mvn"), onPath("true"));

        Outcome outcome = launch(Map.of("JAVA_HOME", System.getProperty("java.home")), "test");

        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.output).contains("left out").contains("chromium").contains("tshark");
    }

    /** The image of the guest is built in a folder that is not there, so nothing is. */
    @Test
    void shouldNameWhatIsMissing_whenTheGuestOfRdmaDevicesIsToBeBuilt() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                onPath("bash").toString(),
                repository().resolve("system-tests/src/rdma-vm/build").toString());
        builder.redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().put("RETIER_RDMA_VM", directory.resolve("none").toString());

        Outcome outcome = outcome(builder.start());

        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.output)
                .contains("missing: qemu-system-x86 debootstrap")
                .contains("apt-get install");
    }

    /** Maven leaves there what a version before had, and that named a class that is no more. */
    @Test
    void shouldForgetTheProvidersOfAVersionBefore_whenItBuilds() throws Exception {
        Files.createSymbolicLink(path.resolve("mvn"), onPath("true"));
        Path folder = Files.createDirectories(checkout.resolve("verbs/target/classes/META-INF/services"));
        Path old = Files.writeString(folder.resolve("an.Interface"), "a.ClassThatIsNoMore\n");

        Outcome outcome = launch(Map.of("JAVA_HOME", System.getProperty("java.home")), "test");

        assertThat(outcome.exitCode).isZero();
        assertThat(old).doesNotExist();
    }

    /** Java would have the next file that it opens in its place, read or write that, and close it. */
    @Test
    void shouldOpenStandardStreams_whenTheyAreClosed() throws Exception {
        for (String launcher : List.of("retier", "dist/src/lib/retier")) {
            assertThat(Files.readString(repository().resolve(launcher))).contains("java-options\"\nstandard_streams\n");
        }
        String script = ". dist/src/lib/java-options; standard_streams; "
                + "for stream in 0 1 2; do seen=$(readlink /proc/$$/fd/$stream); echo $seen >>streams; done";
        for (String shell : List.of("bash", "sh")) {
            String closed = "exec " + onPath(shell) + " -euc '" + script + "' <&- >&- 2>&-";
            ProcessBuilder builder = new ProcessBuilder(onPath("sh").toString(), "-c", closed);
            assertThat(outcome(builder.directory(checkout.toFile()).start()).exitCode)
                    .isZero();
        }
        assertThat(Files.readAllLines(checkout.resolve("streams"))).hasSize(6).containsOnly("/dev/null");
    }

    /** The build waits for the file "go", so that the second launcher comes while the first one's is under way. */
    @Test
    @Timeout(60)
    void shouldBuildOnce_whenTwoAreStartedAtOnce() throws Exception {
        for (String program : List.of("flock", "mkdir")) {
            Path link = path.resolve(program);
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, onPath(program));
            }
        }
        Path maven = Files.writeString(path.resolve("mvn"), """
                #!%s
                echo built >>builds
                until [ -e go ]; do :; done
                mkdir -p cli/target
                : >cli/target/retier.jar
                """.formatted(onPath("bash")));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));

        Process first = start(environment, "version");
        Awaitility.await().until(() -> Files.exists(checkout.resolve("builds")));
        Process second = start(environment, "version");
        try {
            BufferedReader said = second.inputReader();
            assertThat(said.readLine()).contains("waiting for another launcher");
            Files.createFile(checkout.resolve("go"));

            assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            for (Process started : List.of(first, second)) {
                started.descendants().forEach(ProcessHandle::destroyForcibly);
                started.destroyForcibly();
            }
        }
        assertThat(checkout.resolve("builds")).hasContent("built");
    }

    private record Outcome(int exitCode, String output) {}

    private Outcome launch(Map<String, String> environment, String... arguments) throws Exception {
        return outcome(start(environment, arguments));
    }

    private static Outcome outcome(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), output);
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(onPath("bash").toString(), "retier");
        builder.command().addAll(List.of(arguments));
        builder.directory(checkout.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().put("HOME", directory.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static Path repository() {
        return Path.of("").toAbsolutePath().getParent();
    }

    private static Path onPath(String program) {
        return ExternalTool.find(program);
    }
}
