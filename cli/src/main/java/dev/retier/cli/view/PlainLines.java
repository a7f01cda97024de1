package dev.retier.cli.view;

import java.util.Locale;

/** A frame as one line without control characters, for pipes and logs. */
public final class PlainLines {
    private PlainLines() {}

    /** One line, without its line break. */
    public static String line(Frame frame) {
        return String.format(
                Locale.ROOT,
                "%-12s %5.1f s %3.0f %%  %-7s  static %5.0f/s  dynamic %5.0f/s  failed %d  proxy %d  app %d%s%s",
                frame.pass(),
                frame.elapsedSeconds(),
                frame.progress() * 100,
                frame.burst(),
                frame.staticPerSecond(),
                frame.dynamicPerSecond(),
                frame.failed(),
                frame.count(Frame.Place.PROXY),
                frame.count(Frame.Place.APP),
                others("moving", frame.count(Frame.Place.MOVING)),
                others("down", frame.count(Frame.Place.DOWN)));
    }

    private static String others(String name, long count) {
        return count == 0 ? "" : "  " + name + " " + count;
    }
}
