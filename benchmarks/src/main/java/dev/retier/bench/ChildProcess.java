package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** A command with its output in a file, awaited with a limit. Stateless. */
public final class ChildProcess {
    private static final long TELL_EVERY_SECONDS = 30;

    private ChildProcess() {}

    /**
     * Runs {@code command} in {@code folder} to its end.
     *
     * @param log where its output goes
     * @param limit when it and what it started are ended
     * @param progress is given the seconds since the start, every 30 s
     * @throws IOException when it cannot be run, fails or takes too long; names the log
     */
    public static void run(List<String> command, Path folder, Path log, Duration limit, LongConsumer progress)
            throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile())
                .start();
        long beganNanos = System.nanoTime();
        try {
            while (!process.waitFor(TELL_EVERY_SECONDS, TimeUnit.SECONDS)) {
                long elapsedNanos = System.nanoTime() - beganNanos;
                progress.accept(TimeUnit.NANOSECONDS.toSeconds(elapsedNanos));
                if (elapsedNanos > limit.toNanos()) {
                    throw new IOException(command.getFirst() + " took more than " + limit.toMinutes()
                            + " min; its output is in " + log);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    command.getFirst() + " ended with " + process.exitValue() + "; its output is in " + log);
        }
    }
}
