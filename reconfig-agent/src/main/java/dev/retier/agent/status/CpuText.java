package dev.retier.agent.status;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Reads what Linux tells of processor time, in its files below /proc and of control groups. Stateless. */
public final class CpuText {
    private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");
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
        return cpuStat.lines()
                .filter(line -> line.startsWith("usage_usec "))
                .mapToDouble(line -> number(line.substring("usage_usec ".length())) / MICROS)
                .filter(seconds -> seconds >= 0)
                .findFirst();
    }

    /** Seconds used, of version 1's {@code cpuacct.usage}. */
    public static OptionalDouble accountedSeconds(String usage) {
        double nanos = number(usage.strip());
        return nanos < 0 ? OptionalDouble.empty() : OptionalDouble.of(nanos / NANOS);
    }

    /** Processors that version 2's {@code cpu.max} allows; empty for no limit. */
    public static OptionalDouble limit(String cpuMax) {
        String[] parts = cpuMax.strip().split(" ", -1);
        return parts.length == 2 ? limit(parts[0], parts[1]) : OptionalDouble.empty();
    }

    /** Processors that version 1's quota and period, in microseconds, allow; empty for no limit. */
    public static OptionalDouble limit(String quota, String period) {
        double allowed = number(quota.strip());
        double each = number(period.strip());
        return allowed > 0 && each > 0 ? OptionalDouble.of(allowed / each) : OptionalDouble.empty();
    }

    /** One process of {@code /proc/PID/stat}: its parent, and the ticks it and its reaped children have used. */
    public record ProcessTicks(long parent, long own, long reapedChildren) {}

    /** What that file says, or empty if it is none. */
    public static Optional<ProcessTicks> process(String stat) {
        int nameEnd = stat.lastIndexOf(')');
        if (nameEnd < 0) {
            return Optional.empty();
        }
        List<String> fields = List.of(stat.substring(nameEnd + 1).strip().split(" ", -1));
        if (fields.size() < FIRST_TIME + 4
                || !fields.subList(FIRST_TIME, FIRST_TIME + 4).stream()
                        .allMatch(field -> WHOLE.matcher(field).matches())
                || !WHOLE.matcher(fields.get(PARENT)).matches()) {
            return Optional.empty();
        }
        long[] ticks = fields.subList(FIRST_TIME, FIRST_TIME + 4).stream()
                .mapToLong(Long::parseLong)
                .toArray();
        return Optional.of(
                new ProcessTicks(Long.parseLong(fields.get(PARENT)), ticks[0] + ticks[1], ticks[2] + ticks[3]));
    }

    /** When the process of {@code /proc/PID/stat} was started, in ticks; empty if that is none. */
    public static String start(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > START ? fields[START] : "";
    }

    private static double number(String text) {
        return WHOLE.matcher(text).matches() ? Double.parseDouble(text) : -1;
    }
}
