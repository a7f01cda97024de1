package dev.retier.agent.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What this process takes of its machine, under the names that Prometheus' own libraries give, so that boards which
 * know these know ours; asked for at each scrape, and not before. Stateless.
 */
final class ProcessGauges {
    private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private ProcessGauges() {}

    static void register(MeterRegistry registry) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory(registry, "heap", memory::getHeapMemoryUsage);
        memory(registry, "nonheap", memory::getNonHeapMemoryUsage);
        gauge(
                registry,
                "jvm.threads.current",
                "Platform threads.",
                () -> ManagementFactory.getThreadMXBean().getThreadCount());
        gauge(
                registry,
                "process.start.time.seconds",
                "When the process began, Unix time.",
                () -> ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
        counter(
                registry,
                "jvm.gc.collection.seconds",
                "Time that collections of garbage took.",
                () -> collections(GarbageCollectorMXBean::getCollectionTime) / MILLIS_PER_SECOND);
        counter(
                registry,
                "jvm.gc.collections",
                "Collections of garbage.",
                () -> collections(GarbageCollectorMXBean::getCollectionCount));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            counter(
                    registry,
                    "process.cpu.seconds",
                    "Processor time that the process took.",
                    () -> system.getProcessCpuTime() / NANOS_PER_SECOND);
            gauge(registry, "process.open.fds", "Open file descriptors.", system::getOpenFileDescriptorCount);
            gauge(registry, "process.max.fds", "The most that may be open.", system::getMaxFileDescriptorCount);
        }
    }

    private static long collections(ToLongFunction<GarbageCollectorMXBean> figure) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(figure)
                .sum();
    }

    private static void memory(MeterRegistry registry, String area, Supplier<MemoryUsage> usage) {
        Gauge.builder("jvm.memory.used.bytes", () -> usage.get().getUsed())
                .description("Memory of the JVM in use.")
                .tag("area", area)
                .register(registry);
        Gauge.builder("jvm.memory.max.bytes", () -> usage.get().getMax())
                .description("The most it may use; -1: no bound.")
                .tag("area", area)
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String sentence, Supplier<Number> figure) {
        Gauge.builder(name, figure).description(sentence).register(registry);
    }

    /** Asks a bean that lives as long as the JVM, as meters do not keep what they ask. */
    private static void counter(MeterRegistry registry, String name, String sentence, DoubleSupplier figure) {
        FunctionCounter.builder(name, ManagementFactory.getRuntimeMXBean(), _ -> figure.getAsDouble())
                .description(sentence)
                .register(registry);
    }
}
