package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How much of the processors others took since a moment: other processes, and the hypervisor. A measurement that was
 * disturbed should say so. Processes that this one started, and those that they started, are no others, as long as
 * their parents live or waited for them. Linux only.
 *
 * @param otherTicks of other processes and of the kernel for them, since the machine started
 * @param stolenTicks that the hypervisor gave to other machines
 * @param allTicks of all processors
 */
record Interference(double otherTicks, double stolenTicks, double allTicks) {
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
            return new Interference(busy - ownTicks(), tick(fields, 8), all);
        } catch (IOException | NumberFormatException _) {
            return new Interference(0, 0, 0); // not Linux
        }
    }

    private static double tick(String[] fields, int at) {
        return at < fields.length ? Double.parseDouble(fields[at]) : 0;
    }

    private static double ownTicks() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        double sum = ProcessFigures.cpuTicksOfFamily(self.pid());
        for (ProcessHandle child : self.descendants().toList()) {
            try {
                sum += ProcessFigures.cpuTicksOfFamily(child.pid());
            } catch (IOException _) {
                // It has just ended, and is in the figures of its parent, which waited for it.
            }
        }
        return sum;
    }

    /** The share of all processors that other processes took from then to now, 0 to 1; NaN where it is not known. */
    double othersShare() {
        return othersShare(now());
    }

    private double othersShare(Interference now) {
        double ticks = now.allTicks - allTicks;
        return ticks > 0 ? Math.max(0, now.otherTicks - otherTicks) / ticks : Double.NaN;
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
                100 * othersShare(now),
                100 * (now.stolenTicks - stolenTicks) / ticks);
    }
}
