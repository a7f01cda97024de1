package dev.retier.bench.iwarp;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What one run of many operations took.
 *
 * @param nanosPerOperation wall-clock time
 * @param cpuNanosPerOperation processor time of the whole process, both sides
 * @param bytesPerOperation heap bytes that all threads allocated
 */
record Sample(double nanosPerOperation, double cpuNanosPerOperation, double bytesPerOperation) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FIRST_COUNT = 4;
    private static final int MOST = 1 << 24;

    /** Opens, warms up for a third of the time, measures, closes. */
    static Sample of(Work.Opening opening, Duration time) throws Exception {
        try (Work work = opening.open()) {
            return of(work, time);
        }
    }

    /** Warms up for a third of the time, from which it also learns how many operations fill the rest; measures. */
    static Sample of(Work work, Duration time) throws Exception {
        long warm = time.toNanos() / 3;
        int count = FIRST_COUNT;
        long spent = 0;
        while (spent < warm) {
            long start = System.nanoTime();
            work.run(count);
            spent = System.nanoTime() - start;
            if (spent < warm) {
                count = Math.min(MOST, 2 * count);
            }
        }
        return timed(work, (int) Math.clamp((double) count * time.toNanos() / spent, 1, MOST));
    }

    private static Sample timed(Work work, int count) throws Exception {
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long cpu = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        work.run(count);
        double wall = System.nanoTime() - start;
        double used = SYSTEM.getProcessCpuTime() - cpu;
        double bytes = THREADS.getTotalThreadAllocatedBytes() - allocated;
        return new Sample(wall / count, used / count, bytes / count);
    }
}
