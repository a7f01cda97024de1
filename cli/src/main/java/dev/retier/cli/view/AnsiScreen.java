package dev.retier.cli.view;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A frame as a block of terminal lines that is drawn over the one before it (ECMA-48 control sequences). Not
 * thread-safe.
 */
public final class AnsiScreen {
    private static final int BAR_CELLS = 24;
    private static final int LOAD_CELLS = 5;
    private static final String ERASE_LINE = "\u001b[2K";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String BLUE = "\u001b[34m";
    private static final String RED = "\u001b[31m";
    private static final String YELLOW = "\u001b[33m";
    private static final String MAGENTA = "\u001b[35m";
    private static final String RESET = "\u001b[0m";

    private int drawnLines;

    /** What to send to the terminal so that it shows {@code frame} where the last one was. */
    public String draw(Frame frame) {
        List<String> lines = List.of(
                head(frame),
                throughput(frame),
                tier(frame, Frame.Place.PROXY, BLUE, "proxy "),
                tier(frame, Frame.Place.APP, YELLOW, "app   "),
                tier(frame, Frame.Place.MOVING, MAGENTA, "moving"),
                tier(frame, Frame.Place.DOWN, RED, "down  "));
        String text =
                up() + lines.stream().map(line -> ERASE_LINE + line + "\n").collect(Collectors.joining());
        drawnLines = lines.size();
        return text;
    }

    /** What to send so that {@code message} stands above the block for good, and the block is drawn anew next time. */
    public String above(String message) {
        String text = up() + "\u001b[J" + message + "\n";
        drawnLines = 0;
        return text;
    }

    private String up() {
        return drawnLines == 0 ? "" : "\u001b[" + drawnLines + "A\r";
    }

    private static String head(Frame frame) {
        int full = (int) Math.round(frame.progress() * BAR_CELLS);
        return format(
                "%s%-12s%s %s%s%s%s %3.0f %%  %5.1f s  burst: %s",
                BOLD,
                frame.pass(),
                RESET,
                "█".repeat(full),
                DIM,
                "░".repeat(BAR_CELLS - full),
                RESET,
                frame.progress() * 100,
                frame.elapsedSeconds(),
                frame.burst());
    }

    private static String throughput(Frame frame) {
        String failed = frame.failed() == 0 ? "failed 0" : RED + "failed " + frame.failed() + RESET;
        return format(
                "  static %6.0f/s   dynamic %6.0f/s   %s", frame.staticPerSecond(), frame.dynamicPerSecond(), failed);
    }

    private static String tier(Frame frame, Frame.Place place, String colour, String label) {
        String cells = frame.nodes().stream()
                .filter(node -> node.place() == place)
                .map(node -> node.name() + " " + load(node.utilisation()))
                .collect(Collectors.joining("  "));
        return "  " + colour + label + RESET + " " + cells;
    }

    private static String load(double utilisation) {
        int full = (int) Math.round(utilisation * LOAD_CELLS);
        return "▮".repeat(full) + DIM + "▯".repeat(LOAD_CELLS - full) + RESET;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
