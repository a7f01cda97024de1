package dev.retier.undertow.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioWorker;

/**
 * The load of a program as an agent measures that of a real server: the processor time of the process against what it
 * may use, or the share of the worker's threads that are taken, whichever is more. So a program is busy, too, whose
 * threads all wait for a database. Thread-safe.
 */
public final class MeasuredLoad implements NodeLoad {
    private static final double UNITS_PER_PROCESSOR = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Processor time is told in steps of 10 ms; over less time than this it says little. */
    private static final long SHORTEST_NANOS = 50_000_000;

    private static final long LIMIT_AGAIN_NANOS = 1_000_000_000;

    private final LongSupplier processorNanos;
    private final DoubleSupplier processorLimit;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable XnioWorker worker;
    private volatile double limit;
    private volatile long limitAtNanos;
    private double busySeconds;
    private long atNanos;
    private long usedNanos;
    private double threadShares;
    private int samples;

    /**
     * Nothing has been done at {@code nowNanos}.
     *
     * @param processorNanos processor time used so far
     * @param processorLimit how many processors may be used, above 0
     */
    MeasuredLoad(LongSupplier processorNanos, DoubleSupplier processorLimit, long nowNanos) {
        this.processorNanos = processorNanos;
        this.processorLimit = processorLimit;
        this.atNanos = nowNanos;
        this.limitAtNanos = nowNanos;
        this.usedNanos = processorNanos.getAsLong();
        this.limit = processorLimit.getAsDouble();
    }

    /** The load of this process from now on. */
    public static MeasuredLoad ofThisProcess() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ProcessorLimit limit = ProcessorLimit.ofThisProcess();
        return new MeasuredLoad(system::getProcessCpuTime, limit::read, System.nanoTime());
    }

    /** The worker that serves requests; its threads count from now on. */
    public void servedBy(XnioWorker serving) {
        if (!serving.equals(worker)) {
            worker = serving;
        }
    }

    /** Looks at the threads; called at short intervals. */
    public void sample() {
        XnioWorker known = worker;
        if (known != null) {
            sample(
                    known.getMXBean().getBusyWorkerThreadCount(),
                    known.getMXBean().getMaxWorkerPoolSize());
        }
    }

    void sample(int busyThreads, int maxThreads) {
        lock.lock();
        try {
            threadShares += maxThreads > 0 ? (double) busyThreads / maxThreads : 0;
            samples++;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public double capacityUnitsPerSecond() {
        return limit * UNITS_PER_PROCESSOR;
    }

    @Override
    public double busySeconds() {
        return busySeconds(System.nanoTime());
    }

    double busySeconds(long nowNanos) {
        if (nowNanos - limitAtNanos >= LIMIT_AGAIN_NANOS) {
            limitAtNanos = nowNanos;
            limit = processorLimit.getAsDouble();
        }
        lock.lock();
        try {
            long elapsedNanos = nowNanos - atNanos;
            if (elapsedNanos >= SHORTEST_NANOS) {
                account(nowNanos, elapsedNanos);
            }
            return busySeconds;
        } finally {
            lock.unlock();
        }
    }

    private void account(long nowNanos, long elapsedNanos) {
        long used = processorNanos.getAsLong();
        double processors = (used - usedNanos) / (elapsedNanos * limit);
        double threads = samples > 0 ? threadShares / samples : 0;
        busySeconds += Math.clamp(Math.max(processors, threads), 0, 1) * elapsedNanos / NANOS_PER_SECOND;
        atNanos = nowNanos;
        usedNanos = used;
        threadShares = 0;
        samples = 0;
    }
}
