package dev.retier.load.drive;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** CPU time of a run's sending threads. Thread-safe. */
final class LoopCpu {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> startNanosOfThread = new ConcurrentHashMap<>();

    /** Counts the CPU time of {@code thread} from now on. */
    void follow(Thread thread) {
        if (threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
            startNanosOfThread.put(thread.threadId(), threads.getThreadCpuTime(thread.threadId()));
        }
    }

    /** CPU time of the busiest thread over {@code elapsedNanos}, 0..1; 0 where the machine does not tell. */
    double busiestShare(long elapsedNanos) {
        long busiestNanos = 0;
        for (Map.Entry<Long, Long> entry : startNanosOfThread.entrySet()) {
            long nowNanos = threads.getThreadCpuTime(entry.getKey());
            busiestNanos = Math.max(busiestNanos, nowNanos - entry.getValue());
        }
        return Math.clamp((double) busiestNanos / Math.max(1, elapsedNanos), 0, 1);
    }
}
