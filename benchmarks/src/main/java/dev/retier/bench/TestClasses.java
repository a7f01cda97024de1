package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The test classes of modules with all that they need, built by Maven: for tools that run on them. Stateless. */
public final class TestClasses {
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(60);
    private static final String CLASS_PATH = "target/tests.classpath";

    private TestClasses() {}

    /**
     * Builds {@code modules} with their tests, and finds the class path of each.
     *
     * @param log where the output of Maven goes
     * @param more options of Maven
     * @throws IOException if the build fails
     */
    public static void build(Path root, Collection<String> modules, Path log, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B", "-ntp"));
        command.addAll(List.of(more));
        command.addAll(List.of("-pl", String.join(",", modules), "-am"));
        command.addAll(List.of("-Dcheckstyle.skip", "-Dspotless.check.skip", "-Dmdep.outputFile=" + CLASS_PATH));
        command.addAll(List.of("test-compile", "dependency:build-classpath"));
        ChildProcess.run(command, root, log, BUILD_LIMIT, seconds -> Progress.tell("building, " + seconds + " s"));
    }

    /**
     * Java with the tests of a module that was built, and its classes, on its class path; the name of a main class
     * follows.
     *
     * @param options of Java
     * @throws IOException if it was not built
     */
    public static List<String> java(Path root, String module, String... options) throws IOException {
        Path folder = root.resolve(module).toAbsolutePath();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                String.join(
                        ":",
                        folder.resolve("target/test-classes").toString(),
                        folder.resolve("target/classes").toString(),
                        Files.readString(folder.resolve(CLASS_PATH)).strip())));
        return command;
    }
}
