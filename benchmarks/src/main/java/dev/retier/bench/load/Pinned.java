package dev.retier.bench.load;

import dev.retier.bench.ProcessFigures;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process that was started on one core (Linux, {@code taskset}), with what the kernel says about it. The output goes
 * to a file. Not thread-safe.
 */
final class Pinned implements AutoCloseable {
    private static final double KIB_PER_MIB = 1024;

    private final Process process;
    private final Path log;

    private Pinned(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts {@code command} on {@code core}.
     *
     * @throws IOException when it cannot be started
     */
    static Pinned start(int core, Path log, List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
        pinned.addAll(command);
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        return new Pinned(process, log);
    }

    /** Where {@code program} lies, if it is installed. */
    static Optional<Path> find(String program) {
        return Arrays.stream((System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin").split(":", -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Processor time so far, all threads.
     *
     * @throws IOException when the process is over
     */
    double cpuSeconds() throws IOException {
        return ProcessFigures.cpuSeconds(process.pid());
    }

    /**
     * The most memory that was resident so far.
     *
     * @throws IOException when the process is over
     */
    double peakResidentMebibytes() throws IOException {
        return ProcessFigures.status(process.pid(), "VmHWM") / KIB_PER_MIB;
    }

    /** Sends a signal, such as STOP or CONT. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /**
     * Lets it run for a while.
     *
     * @throws IOException when it ends meanwhile
     */
    void letRun(long millis) throws IOException, InterruptedException {
        if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            throw new IOException("ended too early: " + output());
        }
    }

    /** Waits for the end by itself; the output so far, in any case. */
    String await(long seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IOException("not over after " + seconds + " s: "
                    + process.info().command().orElse(""));
        }
        return output();
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    /** Ends the process, if it has not ended, and waits until it has. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
