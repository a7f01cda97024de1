package dev.retier.report;

import dev.retier.report.Plot.Band;
import dev.retier.report.Plot.Mark;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * What the charts of a run, or of several runs side by side, have in common: time from 0, so that they line up; what
 * happened when; and one look for each thing that is shown of load generators, demos and simulations alike. Immutable.
 *
 * @param seconds end of the horizontal axis, above 0
 * @param bands shaded stretches of time behind the lines
 * @param marks moments to point out
 */
public record Timeline(double seconds, List<Band> bands, List<Mark> marks) {
    /** Style of static requests, and of the proxy tier that answers them. */
    public static final String STATIC = "a";

    /** Style of dynamic requests, and of the app tier that answers them. */
    public static final String DYNAMIC = "b";

    /** Style of what failed. */
    public static final String FAILED = "d";

    private static final double LEAST_SECONDS = 0.001;
    private static final double HEADROOM = 1.05;

    /** Copies the lists; an end that is not above 0 is moved there. */
    public Timeline {
        seconds = Math.max(seconds, LEAST_SECONDS);
        bands = List.copyOf(bands);
        marks = List.copyOf(marks);
    }

    /** Without anything but time. */
    public static Timeline of(double seconds) {
        return new Timeline(seconds, List.of(), List.of());
    }

    /** The same time with these bands. */
    public Timeline withBands(List<Band> newBands) {
        return new Timeline(seconds, newBands, marks);
    }

    /** The same time with these marks. */
    public Timeline withMarks(List<Mark> newMarks) {
        return new Timeline(seconds, bands, newMarks);
    }

    /** Requests per second. */
    public Plot rates(String title, List<Series> lines) {
        return plot(title, "requests/s", lines);
    }

    /** Nodes in each tier. */
    public Plot nodes(String title, List<Series> lines) {
        return plot(title, "nodes", lines);
    }

    /** Something else that is counted from 0; the vertical axis ends a little above the highest point. */
    public Plot plot(String title, String unit, List<Series> lines) {
        return plot(title, Axis.linear(unit, top(lines)), lines);
    }

    /** The same with a vertical axis of its own, for charts that are to be compared. */
    public Plot plot(String title, Axis up, List<Series> lines) {
        return new Plot(title, Axis.linear("s", seconds), up, bands, List.of(), lines, marks);
    }

    /** Where a vertical axis for {@code lines} ends: a little above the highest point, and above 1. */
    public static double top(List<Series> lines) {
        double most = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::y)
                .max()
                .orElse(1);
        return Math.max(1, most) * HEADROOM;
    }

    /**
     * A line through the middles of {@code count} intervals of {@code intervalSeconds} each. An interval that the end
     * of the run, at {@code endSeconds}, cuts short would show a rate that never was, and is left out unless it is the
     * only one.
     *
     * @param perSecond the rate in an interval, by its index from 0
     */
    public static List<Point> rate(
            int count, double intervalSeconds, double endSeconds, IntToDoubleFunction perSecond) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (points.isEmpty() || (i + 1) * intervalSeconds <= endSeconds) {
                points.add(new Point((i + 0.5) * intervalSeconds, perSecond.applyAsDouble(i)));
            }
        }
        return points;
    }

    /** A count that changes at once, at each of {@code changes}, and holds until {@code endSeconds}. */
    public static Series steps(String name, String style, List<Point> changes, double endSeconds) {
        List<Point> points = new ArrayList<>(changes);
        if (!points.isEmpty()) {
            points.add(new Point(
                    Math.max(endSeconds, points.getLast().x()), points.getLast().y()));
        }
        return new Series(name, style, Shape.STEP, points);
    }
}
