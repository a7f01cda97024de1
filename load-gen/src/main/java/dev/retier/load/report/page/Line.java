package dev.retier.load.report.page;

import java.util.List;

/**
 * One line of a chart.
 *
 * @param name for the legend
 * @param points in order of x
 * @param steps whether a value holds until the next point
 */
public record Line(String name, List<Point> points, boolean steps) {
    /** Copies the list. */
    public Line {
        points = List.copyOf(points);
    }

    /**
     * A point of a line.
     *
     * @param x finite
     * @param y finite
     */
    public record Point(double x, double y) {
        /** Checks that both are finite. */
        public Point {
            if (!Double.isFinite(x) || !Double.isFinite(y)) {
                throw new IllegalArgumentException("point " + x + ", " + y + " is not finite");
            }
        }
    }
}
