package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the kernel says of one process now (Linux).
 *
 * @param cpuSeconds processor time of all its threads since it began
 * @param residentMebibytes memory of it that is resident (VmRSS)
 * @param threads that it has
 * @param descriptors that it holds open
 */
public record ProcessFigures(double cpuSeconds, double residentMebibytes, int threads, int descriptors) {
    private static final int USER_TIME_AFTER_NAME = 11;
    private static final double TICKS_PER_SECOND = 100;
    private static final double KIB_PER_MIB = 1024;

    /**
     * Reads them.
     *
     * @throws IOException when the process is over
     */
    public static ProcessFigures of(long pid) throws IOException {
        try (Stream<Path> open = Files.list(proc(pid, "fd"))) {
            return new ProcessFigures(
                    cpuSeconds(pid), status(pid, "VmRSS") / KIB_PER_MIB, (int) status(pid, "Threads"), (int)
                            open.count());
        }
    }

    /**
     * Processor time of all threads since the process began.
     *
     * @throws IOException when the process is over
     */
    public static double cpuSeconds(long pid) throws IOException {
        return cpuTicks(pid, 2) / TICKS_PER_SECOND;
    }

    /**
     * Processor time of all threads since the process began, and of those of its children that it has waited for, in
     * ticks of 10 ms.
     *
     * @throws IOException when the process is over
     */
    static double cpuTicksOfFamily(long pid) throws IOException {
        return cpuTicks(pid, 4);
    }

    /** User and system time of the process, then the same of its ended children: the first so many of these. */
    private static double cpuTicks(long pid, int fieldCount) throws IOException {
        String stat = Files.readString(proc(pid, "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        double ticks = 0;
        for (int i = 0; i < fieldCount; i++) {
            ticks += Long.parseLong(fields[USER_TIME_AFTER_NAME + i]);
        }
        return ticks;
    }

    /**
     * A number of {@code /proc/PID/status}, such as VmHWM in KiB; 0 when there is none of that name.
     *
     * @throws IOException when the process is over
     */
    public static double status(long pid, String name) throws IOException {
        return Files.readAllLines(proc(pid, "status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }
}
