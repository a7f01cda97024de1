package dev.retier.report;

import java.util.List;

/**
 * What a chart shows, whatever its axes; a {@link Timeline} makes those over time.
 *
 * @param title above the chart
 * @param across horizontal axis; charts with the same one line up
 * @param up vertical axis
 * @param bands shaded stretches behind all else
 * @param cells a heat map behind the lines
 * @param series the lines
 * @param marks places on the horizontal axis to point out
 */
public record Plot(
        String title, Axis across, Axis up, List<Band> bands, List<Cell> cells, List<Series> series, List<Mark> marks) {
    /** Copies the lists. */
    public Plot {
        bands = List.copyOf(bands);
        cells = List.copyOf(cells);
        series = List.copyOf(series);
        marks = List.copyOf(marks);
    }

    /** The same with a heat map behind the lines. */
    public Plot withCells(List<Cell> newCells) {
        return new Plot(title, across, up, bands, newCells, series, marks);
    }

    /** Lines and nothing else. */
    public static Plot of(String title, Axis across, Axis up, List<Series> series) {
        return new Plot(title, across, up, List.of(), List.of(), series, List.of());
    }

    /**
     * One field of a heat map.
     *
     * @param level 1 (faint) to {@link #LEVELS}
     */
    public record Cell(double fromX, double toX, double fromY, double toY, int level) {
        /** As many shades as the eye tells apart. */
        public static final int LEVELS = 8;

        /** Refuses a level out of range. */
        public Cell {
            if (level < 1 || level > LEVELS) {
                throw new IllegalArgumentException("level " + level + " is not within 1.." + LEVELS);
            }
        }
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
