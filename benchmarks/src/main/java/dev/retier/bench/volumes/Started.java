package dev.retier.bench.volumes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A program that runs beside a measurement until it is closed, with its output in a file. Not thread-safe. */
final class Started implements AutoCloseable {
    private static final long LOOK_MILLIS = 10;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_SECONDS = 60;

    private final String name;
    private final Process process;
    private final Path log;

    private Started(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** Whether there is a program of that name. */
    static boolean isThere(String program) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Arrays.stream((path + ":/usr/sbin:/sbin").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * Starts {@code command}.
     *
     * @param log where its output goes
     */
    static Started start(Path log, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        return new Started(String.join(" ", command), process, log);
    }

    /** Waits until it has said {@code text}. */
    Started awaitOutput(String text) throws IOException, InterruptedException {
        await(() -> output().contains(text));
        return this;
    }

    /** Waits until there is {@code file}. */
    Started awaitFile(Path file) throws IOException, InterruptedException {
        await(() -> Files.exists(file));
        return this;
    }

    private void await(BooleanSupplier ready) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + START_NANOS;
        while (!ready.getAsBoolean()) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - endNanos > 0) {
                close();
                throw new IOException(name + " did not begin; it said: " + output());
            }
        }
    }

    private String output() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }

    /** Its number. */
    long pid() {
        return process.pid();
    }

    /** Ends it at once, without a word to it (SIGKILL), and waits until it has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it as an administrator would, and waits until it has ended. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
