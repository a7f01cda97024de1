package dev.retier.bench.iwarp;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What one run of many operations took.
 *
 * @param nanosPerOperation wall-clock time
 * @param cpuNanosPerOperation processor time of the whole process
 * @param bytesPerOperation heap bytes that all threads allocated
 */
record Sample(double nanosPerOperation, double cpuNanosPerOperation, double bytesPerOperation) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Operations to measure. */
    @FunctionalInterface
    interface Operations {
        void run(int count) throws Exception;
    }

    static Sample of(int count, Operations operations) throws Exception {
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long cpu = SYSTEM.getProcessCpuTime();
        long start = System.nanoTime();
        operations.run(count);
        double wall = System.nanoTime() - start;
        double used = SYSTEM.getProcessCpuTime() - cpu;
        double bytes = THREADS.getTotalThreadAllocatedBytes() - allocated;
        return new Sample(wall / count, used / count, bytes / count);
    }
}
