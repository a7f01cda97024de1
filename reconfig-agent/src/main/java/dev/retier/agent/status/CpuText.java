package dev.retier.agent.status;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads what Linux tells of processor time, in its files below /proc and of control groups. Stateless. */
public final class CpuText {
    private static final int MAX_DIGITS = 18;
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;
    /** utime, stime, cutime and cstime in {@code /proc/PID/stat} (proc(5)), counted after the name in brackets. */
    private static final int FIRST_TIME = 11;

    private static final int PARENT = 1;
    private static final int START = 19;

    private CpuText() {}

    /**
     * The path of a process in one hierarchy of control groups.
     *
     * @param text of {@code /proc/PID/cgroup}
     * @param controller {@code cpuacct} or {@code cpu} for version 1, empty for version 2
     */
    public static Optional<String> cgroup(String text, String controller) {
        return text.lines()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3)
                .filter(parts -> Arrays.asList(parts[1].split(",")).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }

    /** Seconds used, of version 2's {@code cpu.stat}. */
    public static OptionalDouble usageSeconds(String cpuStat) {
        double micros = figure(cpuStat, "usage_usec ");
        return micros < 0 ? OptionalDouble.empty() : OptionalDouble.of(micros / MICROS);
    }

    /** Periods of its quota in which a group ran, of either version's {@code cpu.stat}; -1 if that tells none. */
    public static long periods(String cpuStat) {
        return figure(cpuStat, "nr_periods ");
    }

    /** Those of them in which it had to wait, as its quota was used up; -1 if that tells none. */
    public static long throttled(String cpuStat) {
        return figure(cpuStat, "nr_throttled ");
    }

    private static long figure(String text, String name) {
        int line = text.startsWith(name) ? 0 : text.indexOf("\n" + name) + 1;
        if (!text.startsWith(name, line)) {
            return -1;
        }
        int end = text.indexOf('\n', line);
        return whole(text.substring(line + name.length(), end < 0 ? text.length() : end));
    }

    /** Seconds used, of version 1's {@code cpuacct.usage}. */
    public static OptionalDouble accountedSeconds(String usage) {
        double nanos = whole(usage.strip());
        return nanos < 0 ? OptionalDouble.empty() : OptionalDouble.of(nanos / NANOS);
    }

    /** Processors that version 2's {@code cpu.max} allows; empty for no limit. */
    public static OptionalDouble limit(String cpuMax) {
        String[] parts = cpuMax.strip().split(" ", -1);
        return parts.length == 2 ? limit(parts[0], parts[1]) : OptionalDouble.empty();
    }

    /** Processors that version 1's quota and period, in microseconds, allow; empty for no limit. */
    public static OptionalDouble limit(String quota, String period) {
        double allowed = whole(quota.strip());
        double each = whole(period.strip());
        return allowed > 0 && each > 0 ? OptionalDouble.of(allowed / each) : OptionalDouble.empty();
    }

    /** One process of {@code /proc/PID/stat}: its parent, and the ticks it and its reaped children have used. */
    public record ProcessTicks(long parent, long own, long reapedChildren) {}

    /** What that file says, or empty if it is none. */
    public static Optional<ProcessTicks> process(String stat) {
        long parent = whole(field(stat, PARENT));
        long own = 0;
        long reaped = 0;
        boolean areAll = parent >= 0;
        for (int i = 0; i < 2; i++) {
            long ownPart = whole(field(stat, FIRST_TIME + i));
            long reapedPart = whole(field(stat, FIRST_TIME + 2 + i));
            areAll &= ownPart >= 0 && reapedPart >= 0;
            own += ownPart;
            reaped += reapedPart;
        }
        return areAll ? Optional.of(new ProcessTicks(parent, own, reaped)) : Optional.empty();
    }

    /** When the process of {@code /proc/PID/stat} was started, in ticks; empty if that is none. */
    public static String start(String stat) {
        return field(stat, START);
    }

    /** The field of {@code /proc/PID/stat} with that number, counted from 0 after the name in brackets; or empty. */
    private static String field(String stat, int number) {
        int start = stat.lastIndexOf(") ") + 2;
        if (start == 1) {
            return "";
        }
        for (int i = 0; i < number; i++) {
            start = stat.indexOf(' ', start) + 1;
            if (start == 0) {
                return "";
            }
        }
        int end = stat.indexOf(' ', start);
        return end < 0 ? stat.substring(start).strip() : stat.substring(start, end);
    }

    /** A plain decimal number of at most 18 digits, or -1: these figures are read many times a second. */
    static long whole(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = 10 * value + digit - '0';
        }
        return value;
    }
}
