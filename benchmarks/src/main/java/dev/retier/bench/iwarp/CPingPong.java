package dev.retier.bench.iwarp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The same ping-pong in C, where there is a compiler: what no Java program can be faster than. A process of its own
 * each time. Not thread-safe.
 */
final class CPingPong implements AutoCloseable {
    private static final String SOURCE = "pingpong.c";
    private static final long MICROS = 1_000;
    private static final int TIMEOUT_SECONDS = 60;

    private final Path directory;

    private CPingPong(Path directory) {
        this.directory = directory;
    }

    /** Compiled by {@code cc}; empty without one. */
    static Optional<CPingPong> compiled() throws IOException, InterruptedException {
        CPingPong made = new CPingPong(Files.createTempDirectory("retier-pingpong"));
        try (InputStream source = Objects.requireNonNull(CPingPong.class.getResourceAsStream(SOURCE), SOURCE)) {
            Files.copy(source, made.directory.resolve(SOURCE));
            run(made.directory, "cc", "-O2", "-pthread", "-o", "pingpong", SOURCE);
            return Optional.of(made);
        } catch (IOException e) {
            made.close();
            return Optional.empty();
        }
    }

    /** Half a round trip in microseconds, over so many of them. */
    double micros(int trips) throws IOException, InterruptedException {
        String said = run(directory, directory.resolve("pingpong").toString(), String.valueOf(trips));
        return Double.parseDouble(said.strip()) / MICROS;
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            boolean isOver = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS); // it says a line or two
            String said =
                    isOver ? new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8) : "it hangs";
            if (!isOver || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(directory.resolve(SOURCE));
        Files.deleteIfExists(directory.resolve("pingpong"));
        Files.delete(directory);
    }
}
