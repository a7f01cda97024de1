package dev.retier.iwarp.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the class path of this one, our classes first. */
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static JavaProcess start(Path directory, String main, String... arguments) throws IOException {
        return start(directory, new String[0], main, arguments);
    }

    /** As the other one, with options for the virtual machine. */
    static JavaProcess start(Path directory, String[] options, String main, String... arguments) throws IOException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.add(main);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new JavaProcess(process, output);
    }

    /** What it has printed so far. */
    String output() throws IOException {
        return Files.readString(output);
    }

    /** Its exit code. */
    int await(int seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("still running after " + seconds + " s: " + output());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
