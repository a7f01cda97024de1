package dev.retier.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws a {@link Plot} as one inline SVG element that scales with the page and needs no script. */
public final class SvgChart {
    private final Plot chart;
    private final Size size;
    private final int top;
    private final StringBuilder svg = new StringBuilder();

    /** What a chart is drawn for. */
    public enum Size {
        /** A page on a screen or on paper. */
        WIDE(960, 260, 56, 10, 12),
        /** A phone held upright. */
        NARROW(480, 300, 54, 5, 15);

        private final int width;
        private final int height;
        private final int left;
        private final int ticksAcross;
        private final int fontPixels;

        Size(int width, int height, int left, int ticksAcross, int fontPixels) {
            this.width = width;
            this.height = height;
            this.left = left;
            this.ticksAcross = ticksAcross;
            this.fontPixels = fontPixels;
        }
    }

    private static final int TICKS_UP = 4;
    private static final int LINE = 18;
    private static final int RIGHT = 12;
    private static final int BOTTOM = 32;
    private static final double CHARACTER_EM = 0.56;

    private SvgChart(Plot chart, Size size) {
        this.chart = chart;
        this.size = size;
        this.top = 16 + legendLines() * LINE;
    }

    /** The SVG element for {@code chart}. All text in it is escaped. */
    public static String draw(Plot chart, Size size) {
        SvgChart drawing = new SvgChart(chart, size);
        drawing.open();
        chart.bands().forEach(drawing::band);
        drawing.cells();
        drawing.axes();
        chart.marks().forEach(drawing::mark);
        chart.series().forEach(drawing::series);
        drawing.legend();
        return drawing.svg.append("</svg>\n").toString();
    }

    private int height() {
        return size.height + top - 34;
    }

    private int bottom() {
        return height() - BOTTOM;
    }

    private void open() {
        add(
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" font-size=\"%d\" role=\"img\" aria-label=\"%s\">\n",
                size.width, height(), size.fontPixels, Text.escape(chart.title()));
        add("<text class=\"title\" x=\"%d\" y=\"16\">%s</text>\n", size.left, Text.escape(heading()));
    }

    /** The title with the unit that the figures up the side have. */
    private String heading() {
        return chart.up().unit().isEmpty()
                ? chart.title()
                : chart.title() + ", " + chart.up().unit();
    }

    private void band(Plot.Band band) {
        double from = x(band.from());
        add(
                "<rect class=\"band %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n",
                Text.escape(band.style()),
                from,
                top,
                Math.max(0, x(band.to()) - from),
                bottom() - top,
                Text.escape(band.label()));
    }

    /** One path for each level, which keeps a map of thousands of cells small. */
    private void cells() {
        for (int level = 1; level <= Plot.Cell.LEVELS; level++) {
            StringBuilder path = new StringBuilder();
            for (Plot.Cell cell : chart.cells()) {
                if (cell.level() == level) {
                    double left = x(cell.fromX());
                    double low = y(cell.fromY());
                    double width = x(cell.toX()) - left;
                    path.append(format("M%.1f %.1fh%.1fV%.1fh%.1fz", left, low, width, y(cell.toY()), -width));
                }
            }
            if (!path.isEmpty()) {
                add("<path class=\"heat h%d\" d=\"%s\"/>\n", level, path);
            }
        }
    }

    private void axes() {
        for (double value : chart.up().ticks(TICKS_UP)) {
            add(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    size.left, size.width - RIGHT, y(value), y(value));
            add(
                    "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    size.left - 6, y(value) + 4, chart.up().label(value));
        }
        boolean seconds = chart.across().unit().equals("s");
        for (double at : chart.across().ticks(size.ticksAcross)) {
            add(
                    "<text class=\"tick\" text-anchor=\"%s\" x=\"%.1f\" y=\"%d\">%s%s</text>\n",
                    x(at) > size.width - 40 ? "end" : "middle",
                    x(at),
                    height() - 12,
                    chart.across().label(at),
                    seconds ? " s" : "");
        }
        if (!seconds && chart.across().scale() != Axis.Scale.PERCENTILE) {
            add(
                    "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n",
                    size.width - RIGHT, bottom() - 6, Text.escape(chart.across().unit()));
        }
    }

    /** Below the axis, so that many of them hide nothing. */
    private void mark(Plot.Mark mark) {
        double at = x(mark.at());
        add(
                "<path class=\"mark\" d=\"M%.1f %d l-3 8 h6 z\"><title>%s</title></path>\n",
                at, bottom() + 1, Text.escape(mark.label()));
    }

    private void series(Plot.Series series) {
        if (series.points().isEmpty()) {
            return;
        }
        StringBuilder path = new StringBuilder();
        for (Plot.Point point : drawn(series)) {
            double across = x(point.x());
            double up = y(point.y());
            if (path.isEmpty()) {
                path.append(format("M%.1f %.1f", across, up));
            } else if (series.shape() == Plot.Shape.STEP) {
                path.append(format("H%.1f V%.1f", across, up));
            } else {
                path.append(format("L%.1f %.1f", across, up));
            }
        }
        add(
                "<path class=\"line %s\" d=\"%s\"><title>%s</title></path>\n",
                Text.escape(series.style()), path, Text.escape(series.name()));
    }

    /** More points than pixels help nobody: of each pixel's points the lowest and the highest are kept, in order. */
    private List<Plot.Point> drawn(Plot.Series series) {
        List<Plot.Point> points = series.points();
        int group = points.size() / size.width;
        if (series.shape() == Plot.Shape.STEP || group < 2) {
            return points;
        }
        List<Plot.Point> kept = new ArrayList<>();
        for (int from = 0; from < points.size(); from += 2 * group) {
            List<Plot.Point> some = points.subList(from, Math.min(points.size(), from + 2 * group));
            int low = 0;
            int high = 0;
            for (int i = 0; i < some.size(); i++) {
                low = some.get(i).y() < some.get(low).y() ? i : low;
                high = some.get(i).y() > some.get(high).y() ? i : high;
            }
            kept.add(some.get(Math.min(low, high)));
            if (low != high) {
                kept.add(some.get(Math.max(low, high)));
            }
        }
        return kept;
    }

    private int legendLines() {
        return Math.max(1, legendRows().size());
    }

    /** The names in rows that fit; the first row shares its line with the title. */
    private List<List<Plot.Series>> legendRows() {
        List<List<Plot.Series>> rows = new ArrayList<>();
        double left = 0;
        for (Plot.Series series : chart.series()) {
            double width = characters(series.name().length() + 4);
            if (rows.isEmpty() || left < width) {
                rows.add(new ArrayList<>());
                double title = rows.size() == 1 ? characters(heading().length() + 4) : 0;
                left = size.width - size.left - RIGHT - title;
            }
            if (left < width && rows.size() == 1 && rows.getFirst().isEmpty()) {
                rows.add(new ArrayList<>());
                left = size.width - size.left - RIGHT;
            }
            rows.getLast().add(series);
            left -= width;
        }
        return rows;
    }

    private double characters(int count) {
        return count * CHARACTER_EM * size.fontPixels;
    }

    private void legend() {
        List<List<Plot.Series>> rows = legendRows();
        for (int row = 0; row < rows.size(); row++) {
            StringBuilder names = new StringBuilder();
            rows.get(row)
                    .forEach(series -> names.append(format(
                            "<tspan class=\"key %s\">&#9632; </tspan><tspan>%s&#160;&#160;</tspan>",
                            Text.escape(series.style()), Text.escape(series.name()))));
            if (!names.isEmpty()) {
                add(
                        "<text class=\"legend\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n",
                        size.width - RIGHT, 16 + row * LINE, names);
            }
        }
    }

    private double x(double value) {
        return size.left + (size.width - size.left - RIGHT) * chart.across().share(value);
    }

    private double y(double value) {
        return bottom() - (bottom() - top) * chart.up().share(value);
    }

    private void add(String pattern, Object... values) {
        svg.append(format(pattern, values));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
