package dev.retier.report;

import dev.retier.report.Chart.Band;
import dev.retier.report.Chart.Mark;
import dev.retier.report.Chart.Series;
import java.util.List;

/**
 * What a chart shows, whatever its axes; {@link Chart} is the plain case over time.
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
}
