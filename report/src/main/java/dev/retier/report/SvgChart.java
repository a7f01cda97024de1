package dev.retier.report;

import java.util.Locale;
import java.util.stream.Collectors;

/** Draws a {@link Chart} as one inline SVG element that scales with the page and needs no script. */
public final class SvgChart {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 260;
    private static final int LEFT = 56;
    private static final int RIGHT = 12;
    private static final int TOP = 34;
    private static final int BOTTOM = 32;
    private static final int TICKS_ACROSS = 10;
    private static final int TICKS_UP = 4;

    private final Chart chart;
    private final StringBuilder svg = new StringBuilder();

    private SvgChart(Chart chart) {
        this.chart = chart;
    }

    /** The SVG element for {@code chart}. All text in it is escaped. */
    public static String draw(Chart chart) {
        SvgChart drawing = new SvgChart(chart);
        drawing.open();
        chart.bands().forEach(drawing::band);
        drawing.axes();
        chart.marks().forEach(drawing::mark);
        chart.series().forEach(drawing::series);
        drawing.legend();
        return drawing.svg.append("</svg>\n").toString();
    }

    private void open() {
        add(
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                WIDTH, HEIGHT, escape(chart.title()));
        add("<text class=\"title\" x=\"%d\" y=\"16\">%s</text>\n", LEFT, escape(chart.title()));
    }

    private void band(Chart.Band band) {
        double from = x(band.fromSeconds());
        add(
                "<rect class=\"band %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title></rect>\n",
                escape(band.style()),
                from,
                TOP,
                Math.max(0, x(band.toSeconds()) - from),
                HEIGHT - TOP - BOTTOM,
                escape(band.label()));
    }

    private void axes() {
        double up = niceStep(chart.top() / TICKS_UP);
        for (double value = 0; value <= chart.top() + 1e-9; value += up) {
            add(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    LEFT, WIDTH - RIGHT, y(value), y(value));
            add(
                    "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    LEFT - 6, y(value) + 4, number(value));
        }
        double across = niceStep(chart.seconds() / TICKS_ACROSS);
        for (double at = 0; at <= chart.seconds() + 1e-9; at += across) {
            add(
                    "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%s s</text>\n",
                    x(at), HEIGHT - 12, number(at));
        }
        add("<text class=\"tick\" x=\"4\" y=\"%d\">%s</text>\n", TOP - 6, escape(chart.unit()));
    }

    private void mark(Chart.Mark mark) {
        double at = x(mark.seconds());
        add(
                "<g class=\"mark\"><title>%s</title><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                        + "<path d=\"M%.1f %d l-4 -7 h8 z\"/></g>\n",
                escape(mark.label()), at, at, TOP, HEIGHT - BOTTOM, at, TOP);
    }

    private void series(Chart.Series series) {
        if (series.points().isEmpty()) {
            return;
        }
        StringBuilder path = new StringBuilder();
        for (Chart.Point point : series.points()) {
            double across = x(point.seconds());
            double up = y(point.value());
            if (path.isEmpty()) {
                path.append(format("M%.1f %.1f", across, up));
            } else if (series.shape() == Chart.Shape.STEP) {
                path.append(format("H%.1f V%.1f", across, up));
            } else {
                path.append(format("L%.1f %.1f", across, up));
            }
        }
        add(
                "<path class=\"line %s\" d=\"%s\"><title>%s</title></path>\n",
                escape(series.style()), path, escape(series.name()));
    }

    private void legend() {
        String names = chart.series().stream()
                .map(series -> format(
                        "<tspan class=\"key %s\">&#9632; </tspan><tspan>%s&#160;&#160;</tspan>",
                        escape(series.style()), escape(series.name())))
                .collect(Collectors.joining());
        add("<text class=\"legend\" text-anchor=\"end\" x=\"%d\" y=\"16\">%s</text>\n", WIDTH - RIGHT, names);
    }

    private double x(double seconds) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.clamp(seconds / chart.seconds(), 0, 1);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.clamp(value / chart.top(), 0, 1);
    }

    private void add(String pattern, Object... values) {
        svg.append(format(pattern, values));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? format("%.0f", value) : format("%.1f", value);
    }

    /** The least of 1, 2 and 5 times a power of ten that is not below {@code step}. */
    static double niceStep(double step) {
        double power = Math.pow(10, Math.floor(Math.log10(step)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= step * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    /** {@code text} with the five characters that HTML and XML give a meaning to replaced. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
