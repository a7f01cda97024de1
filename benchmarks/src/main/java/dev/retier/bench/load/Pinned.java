package dev.retier.bench.load;

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
    private static final int USER_TIME_AFTER_NAME = 11;
    private static final double TICKS_PER_SECOND = 100;
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
        String stat = Files.readString(proc("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long user = Long.parseLong(fields[USER_TIME_AFTER_NAME]);
        return (user + Long.parseLong(fields[USER_TIME_AFTER_NAME + 1])) / TICKS_PER_SECOND;
    }

    /**
     * The most memory that was resident so far.
     *
     * @throws IOException when the process is over
     */
    double peakResidentMebibytes() throws IOException {
        return Files.readAllLines(proc("status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB_PER_MIB)
                .findFirst()
                .orElse(0);
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

    private Path proc(String file) {
        return Path.of("/proc", String.valueOf(process.pid()), file);
    }
}
