package dev.retier.agent.status;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What nginx's main file says of how many connections it may have. Stateless. */
public final class NginxConfig {
    private static final Pattern COMMENT = Pattern.compile("(?m)#.*$");
    private static final Pattern CONNECTIONS = directive("worker_connections", "(\\d{1,8})");
    private static final Pattern WORKERS = directive("worker_processes", "(\\d{1,4}|auto)");
    private static final Pattern FILES = directive("worker_rlimit_nofile", "(\\d{1,8})");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");
    /** As Linux tells it in {@code /proc/PID/limits}: the soft one counts. */
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +(\\d{1,9}) ");

    private NginxConfig() {}

    private static Pattern directive(String name, String value) {
        return Pattern.compile("(?:^|[;{}\\s])" + name + "\\s+" + value + "\\s*;");
    }

    /**
     * How many connections all workers together may have: each {@code worker_connections} of them, and no more than it
     * may have files. Empty when the file does not say, as it may include one that does.
     *
     * @param main text of the main file
     * @param limits text of {@code /proc/PID/limits} of its parent; empty when that is unknown
     * @param processors of the machine, for {@code worker_processes auto}
     */
    public static OptionalInt connections(String main, String limits, int processors) {
        String text = COMMENT.matcher(main).replaceAll("");
        OptionalInt each = number(CONNECTIONS.matcher(text));
        OptionalInt files = number(FILES.matcher(text));
        if (each.isEmpty()) {
            return OptionalInt.empty();
        }
        int most = files.isPresent()
                ? files.getAsInt()
                : number(OPEN_FILES.matcher(limits)).orElse(Integer.MAX_VALUE);
        Matcher workers = WORKERS.matcher(text);
        String count = workers.find() ? workers.group(1) : "1";
        long all = Math.min(each.getAsInt(), most) * (count.equals("auto") ? processors : Long.parseLong(count));
        return all > 0 ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, all)) : OptionalInt.empty();
    }

    /** How many processors a text such as {@code 0-3,8} of {@code /sys/devices/system/cpu/online} names. */
    public static int processors(String online) {
        int count = 0;
        Matcher ranges = RANGE.matcher(online);
        while (ranges.find()) {
            int first = Integer.parseInt(ranges.group(1));
            String last = ranges.group(2);
            count += (last == null ? first : Integer.parseInt(last)) - first + 1;
        }
        return Math.max(0, count);
    }

    private static OptionalInt number(Matcher matcher) {
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
