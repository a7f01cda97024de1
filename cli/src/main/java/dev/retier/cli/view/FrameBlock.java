package dev.retier.cli.view;

import dev.retier.cli.grid.Ansi;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A frame as the lines of a {@link TerminalBlock}. Stateless. */
public final class FrameBlock {
    private static final int BAR_CELLS = 24;
    private static final int LOAD_CELLS = 5;

    private FrameBlock() {}

    /** Head, throughput, and the nodes of each tier. */
    public static List<String> lines(Frame frame) {
        return List.of(
                head(frame),
                throughput(frame),
                tier(frame, Frame.Place.PROXY, Ansi.BLUE, "proxy "),
                tier(frame, Frame.Place.APP, Ansi.YELLOW, "app   "),
                tier(frame, Frame.Place.MOVING, Ansi.MAGENTA, "moving"),
                tier(frame, Frame.Place.DOWN, Ansi.RED, "down  "));
    }

    private static String head(Frame frame) {
        return format(
                "%s%-12s%s %s %3.0f %%  %5.1f s  burst: %s",
                Ansi.BOLD,
                frame.pass(),
                Ansi.RESET,
                Ansi.bar(frame.progress(), BAR_CELLS),
                frame.progress() * 100,
                frame.elapsedSeconds(),
                frame.burst());
    }

    private static String throughput(Frame frame) {
        return format(
                "  static %6.0f/s   dynamic %6.0f/s   %s",
                frame.staticPerSecond(), frame.dynamicPerSecond(), Ansi.count("failed", frame.failed()));
    }

    private static String tier(Frame frame, Frame.Place place, String colour, String label) {
        String cells = frame.nodes().stream()
                .filter(node -> node.place() == place)
                .map(node -> node.name() + " " + load(node.utilisation()))
                .collect(Collectors.joining("  "));
        return "  " + colour + label + Ansi.RESET + " " + cells;
    }

    private static String load(double utilisation) {
        int full = (int) Math.round(utilisation * LOAD_CELLS);
        return "▮".repeat(full) + Ansi.DIM + "▯".repeat(LOAD_CELLS - full) + Ansi.RESET;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
