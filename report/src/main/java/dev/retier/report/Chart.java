package dev.retier.report;

import java.util.List;

/**
 * What a time chart shows. The horizontal axis is seconds from 0.
 *
 * @param title above the chart
 * @param unit of the vertical axis, which starts at 0
 * @param seconds end of the horizontal axis, above 0; charts with the same end line up
 * @param top end of the vertical axis, above 0
 * @param bands shaded stretches of time behind the lines
 * @param series the lines
 * @param marks moments to point out
 */
public record Chart(
        String title,
        String unit,
        double seconds,
        double top,
        List<Band> bands,
        List<Series> series,
        List<Mark> marks) {

    /** Copies the lists; refuses an axis that does not end above 0 with {@link IllegalArgumentException}. */
    public Chart {
        if (!(seconds > 0) || !(top > 0)) {
            throw new IllegalArgumentException("axes end at " + seconds + " s and " + top + ", not above 0");
        }
        bands = List.copyOf(bands);
        series = List.copyOf(series);
        marks = List.copyOf(marks);
    }

    /** The same with its axes spelt out. */
    public Plot plot() {
        return new Plot(title, Axis.linear("s", seconds), Axis.linear(unit, top), bands, List.of(), series, marks);
    }

    /** A stretch of the horizontal axis, such as one burst. {@code style} is a class of the page's style sheet. */
    public record Band(double from, double to, String label, String style) {}

    /** A place on the horizontal axis, such as a move; {@code label} is shown when it is pointed at. */
    public record Mark(double at, String label) {}

    /** One value. */
    public record Point(double x, double y) {}

    /** How the points of a series are joined. */
    public enum Shape {
        /** Straight from point to point: measured values. */
        LINE,
        /** Level until the next point: counts that change at once. */
        STEP
    }

    /** One line. {@code style} is a class of the page's style sheet: {@code a} to {@code f}, with or without dashed. */
    public record Series(String name, String style, Shape shape, List<Point> points) {
        private static final List<String> STYLES = List.of("a", "b", "c", "d", "e", "f");

        /** Copies the points. */
        public Series {
            points = List.copyOf(points);
        }

        /** The style of line {@code index} (from 0) where any will do; from the seventh on they repeat, dashed. */
        public static String style(int index) {
            return STYLES.get(index % STYLES.size()) + (index / STYLES.size() % 2 == 0 ? "" : " dashed");
        }
    }
}
