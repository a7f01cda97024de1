package dev.retier.bench.state;

import java.lang.management.ManagementFactory;

/** Processor time of this whole process, all its threads and the system calls that they make. Stateless. */
final class Cpu {
    private static final com.sun.management.OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    private Cpu() {}

    /** So far, in nanoseconds. */
    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
