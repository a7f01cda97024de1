package dev.retier.bench.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which core may run what, by the {@code taskset} command. Stateless. */
final class Affinity {
    /** The reader's core. */
    static final int READER = 0;

    /** The watched node's core. */
    static final int WATCHED = 1;

    private static final String PROGRESS_THREAD = "iwarp";

    private Affinity() {}

    /** Lets all threads of process {@code pid} run on {@code core} only. */
    static void pinProcess(long pid, int core) throws IOException, InterruptedException {
        run("taskset", "-acp", String.valueOf(core), String.valueOf(pid));
    }

    /** Lets the progress thread of software iWARP in process {@code pid} run on {@code core} only. */
    static void pinProgress(long pid, int core) throws IOException, InterruptedException {
        List<String> threads;
        try (Stream<Path> tasks = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            threads = tasks.filter(Affinity::isProgress)
                    .map(task -> task.getFileName().toString())
                    .toList();
        }
        if (threads.isEmpty()) {
            throw new IOException("process " + pid + " has no thread called " + PROGRESS_THREAD);
        }
        for (String thread : threads) {
            run("taskset", "-cp", String.valueOf(core), thread);
        }
    }

    private static boolean isProgress(Path task) {
        try {
            return Files.readString(task.resolve("comm")).contains(PROGRESS_THREAD);
        } catch (IOException gone) {
            return false;
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed; it needs Linux and util-linux");
        }
    }
}
