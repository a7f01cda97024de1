package dev.retier.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How much of the processors others took since a moment: other processes, and the hypervisor. A measurement that was
 * disturbed should say so. Linux only.
 *
 * @param otherTicks of other processes and of the kernel for them, since the machine started
 * @param stolenTicks that the hypervisor gave to other machines
 * @param allTicks of all processors
 */
record Interference(double otherTicks, double stolenTicks, double allTicks) {
    private static final double NANOS_PER_TICK = 1e7;

    /** What it is now. */
    static Interference now() {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            String[] fields = lines.findFirst().orElse("").split(" +");
            double all = 0;
            for (int i = 1; i <= 8 && i < fields.length; i++) {
                all += Double.parseDouble(fields[i]);
            }
            // user, nice, system; interrupts belong to nobody in particular
            double busy = tick(fields, 1) + tick(fields, 2) + tick(fields, 3);
            var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
            return new Interference(busy - system.getProcessCpuTime() / NANOS_PER_TICK, tick(fields, 8), all);
        } catch (IOException | NumberFormatException _) {
            return new Interference(0, 0, 0); // not Linux
        }
    }

    private static double tick(String[] fields, int at) {
        return at < fields.length ? Double.parseDouble(fields[at]) : 0;
    }

    /** A sentence about the time from then to now. */
    String since() {
        Interference now = now();
        double ticks = now.allTicks - allTicks;
        if (!(ticks > 0)) {
            return "unknown";
        }
        return String.format(
                Locale.ROOT,
                "%.1f %% by other processes, %.1f %% by the hypervisor",
                100 * Math.max(0, now.otherTicks - otherTicks) / ticks,
                100 * (now.stolenTicks - stolenTicks) / ticks);
    }
}
