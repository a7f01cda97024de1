package dev.retier.cli.view;

import dev.retier.cli.grid.Ansi;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The load on several sites as lines, short enough for a terminal. Stateless. */
public final class SiteLines {
    private static final int BAR_CELLS = 24;
    private static final int NAME_CHARACTERS = 12;

    private SiteLines() {}

    /** Two lines for each site, for a {@link TerminalBlock}. */
    public static List<String> drawn(List<SiteRow> rows) {
        return rows.stream().flatMap(row -> Stream.of(head(row), rates(row))).toList();
    }

    /** A line without control characters for each site. */
    public static List<String> plain(List<SiteRow> rows) {
        return rows.stream().map(SiteLines::plain).toList();
    }

    private static String head(SiteRow row) {
        Double share = row.progress();
        String progress = share == null ? "" : format("%s %3.0f %%", Ansi.bar(share, BAR_CELLS), share * 100);
        return format(
                "%s%-" + NAME_CHARACTERS + "s%s %s %6.1f s%s  %d %s",
                Ansi.BOLD,
                name(row),
                Ansi.RESET,
                progress,
                row.elapsedSeconds(),
                left(row),
                row.targets(),
                row.targets() == 1 ? "target" : "targets");
    }

    private static String rates(SiteRow row) {
        return format(
                "  %s  p50 %s  p99 %s  %s  %s%s",
                row.openStreams() == null
                        ? format("%.0f static/s  %.0f dynamic/s", row.staticPerSecond(), row.dynamicPerSecond())
                        : streams(row),
                millis(row.p50Millis()),
                millis(row.p99Millis()),
                Ansi.count("failed", row.failed()),
                Ansi.count("dropped", row.dropped()),
                silence(row));
    }

    private static String plain(SiteRow row) {
        Double share = row.progress();
        return format(
                "%-" + NAME_CHARACTERS + "s %5.1f s %s %s  p50 %s  p99 %s  failed %d  dropped %d  targets %d%s%s",
                name(row),
                row.elapsedSeconds(),
                share == null ? "    -" : format("%3.0f %%", share * 100),
                row.openStreams() == null
                        ? format("%6.0f/s", row.staticPerSecond() + row.dynamicPerSecond())
                        : streams(row),
                millis(row.p50Millis()),
                millis(row.p99Millis()),
                row.failed(),
                row.dropped(),
                row.targets(),
                silence(row),
                left(row));
    }

    private static String streams(SiteRow row) {
        Long open = row.openStreams();
        return format("open %d  %.0f events/s", open == null ? 0 : open, row.eventsPerSecond());
    }

    /** Said as soon as it is longer than most answers take. */
    private static String silence(SiteRow row) {
        return row.silentSeconds() < 1 ? "" : format("  no answer for %.1f s", row.silentSeconds());
    }

    private static String name(SiteRow row) {
        return row.site().length() <= NAME_CHARACTERS ? row.site() : row.site().substring(0, NAME_CHARACTERS - 1) + "~";
    }

    private static String left(SiteRow row) {
        Double seconds = row.secondsLeft();
        if (seconds == null) {
            return "";
        }
        return seconds < 100 ? format("  left %.0f s", seconds) : format("  left %.0f min", seconds / 60);
    }

    private static String millis(double millis) {
        if (millis == 0) {
            return "-"; // nothing was over in the last interval
        }
        return format(millis < 10 ? "%.2f ms" : "%.0f ms", millis);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
