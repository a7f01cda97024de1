package dev.retier.load.report.page;

import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.LatencyOverTime;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.HistogramIterationValue;

/** A latency heat map: how the answers of each stretch of time spread over the latencies. Stateless. */
final class HeatCells {
    /** More columns or rows than this are too small to see. */
    static final int MAX_COLUMNS = 120;

    static final int ROWS = 36;
    private static final double NANOS_PER_MILLI = 1e6;

    private HeatCells() {}

    /**
     * The cells of a map whose vertical axis, in milliseconds, is {@code up}. A cell's level is that of its share of
     * the answers of its column, so that a slow stretch with few answers is as visible as a busy one.
     */
    static List<Plot.Cell> of(LatencyOverTime latencies, Axis up) {
        List<Plot.Cell> cells = new ArrayList<>();
        int perColumn = Math.max(1, (latencies.intervals().size() + MAX_COLUMNS - 1) / MAX_COLUMNS);
        for (int from = 0; from < latencies.intervals().size(); from += perColumn) {
            int to = Math.min(latencies.intervals().size(), from + perColumn);
            long[] rows = rows(latencies.intervals().subList(from, to), up);
            double left = from * latencies.intervalMillis() / 1000;
            double right = to * latencies.intervalMillis() / 1000;
            add(cells, rows, new double[] {left, right}, up);
        }
        return cells;
    }

    private static long[] rows(List<LatencyInterval> intervals, Axis up) {
        long[] rows = new long[ROWS];
        for (LatencyInterval interval : intervals) {
            for (HistogramIterationValue at : interval.histogram().recordedValues()) {
                double share = up.share(at.getValueIteratedTo() / NANOS_PER_MILLI);
                rows[Math.min(ROWS - 1, (int) (share * ROWS))] += at.getCountAtValueIteratedTo();
            }
        }
        return rows;
    }

    private static void add(List<Plot.Cell> cells, long[] rows, double[] fromTo, Axis up) {
        long all = 0;
        for (long row : rows) {
            all += row;
        }
        for (int row = 0; row < ROWS; row++) {
            if (rows[row] > 0) {
                double share = (double) rows[row] / all;
                int level = 1 + (int) Math.round(Math.sqrt(share) * (Plot.Cell.LEVELS - 1));
                cells.add(new Plot.Cell(fromTo[0], fromTo[1], value(up, row), value(up, row + 1), level));
            }
        }
    }

    private static double value(Axis up, int row) {
        return up.from() * Math.pow(up.to() / up.from(), (double) row / ROWS);
    }
}
