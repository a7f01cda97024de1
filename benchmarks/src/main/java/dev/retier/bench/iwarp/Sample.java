package dev.retier.bench.iwarp;

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
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FIRST_COUNT = 4;
    private static final int MOST = 1 << 24;

    /** Warms up for a third of the time, from which it learns how many operations take all of it; measures. */
    static Sample of(Work work, Duration time) throws Exception {
        return timed(work, fitting(work, time));
    }

    /** How many operations take so long, found by doing some for a third of the time, which warms up. */
    static int fitting(Work work, Duration time) throws Exception {
        long warm = time.toNanos() / 3;
        int count = FIRST_COUNT;
        long spent = 0;
        work.attend();
        while (spent < warm) {
            long start = System.nanoTime();
            work.run(count);
            spent = System.nanoTime() - start;
            if (spent < warm) {
                count = Math.min(MOST, 2 * count);
            }
        }
        work.rest();
        return (int) Math.clamp((double) count * time.toNanos() / spent, 1, MOST);
    }

    /** Measures {@code count} operations, after as many that let both ends and their sockets get going again. */
    static Sample timed(Work work, int count) throws Exception {
        work.attend();
        work.run(count);
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long cpu = SystemCalls.processNanos();
        long start = System.nanoTime();
        work.run(count);
        double wall = System.nanoTime() - start;
        double used = SystemCalls.processNanos() - cpu;
        double bytes = THREADS.getTotalThreadAllocatedBytes() - allocated;
        work.rest();
        return new Sample(wall / count, used / count, bytes / count);
    }
}
