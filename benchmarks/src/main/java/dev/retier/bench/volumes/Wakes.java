package dev.retier.bench.volumes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How often threads of a process have slept, and so were woken (Linux). Stateless. */
final class Wakes {
    private static final String FIELD = "voluntary_ctxt_switches:";

    private Wakes() {}

    /** Of all threads that live now, since they began. */
    static long of(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            long all = 0;
            for (Path thread : threads.toList()) {
                all += ofThread(thread);
            }
            return all;
        }
    }

    private static long ofThread(Path thread) {
        try {
            List<String> lines = Files.readAllLines(thread.resolve("status"));
            return lines.stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(FIELD.length()).strip()))
                    .sum();
        } catch (IOException hasEnded) {
            return 0;
        }
    }
}
