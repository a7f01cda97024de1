package dev.retier.load.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart as SVG. Colours come from the page's style sheet (classes {@code s1} .. {@code s6}), so that light
 * and dark
 * both work.
 *
 * @param title heading
 * @param xLabel what x is, with its unit
 * @param yLabel what y is, with its unit
 * @param lines at least one point in all of them together, else the chart says that there is nothing to show
 * @param marks vertical lines
 * @param logarithmic whether both axes are logarithmic
 */
record Chart(String title, String xLabel, String yLabel, List<Line> lines, List<Mark> marks, boolean logarithmic) {
    /** More points than pixels help nobody: longer lines are averaged down to this. */
    static final int MAX_POINTS = 800;

    private static final int COLOURS = 6;
    private static final int WIDTH = 800;
    private static final int HEIGHT = 280;
    private static final int LEFT = 60;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 40;

    String svg() {
        List<Line.Point> all =
                lines.stream().flatMap(line -> line.points().stream()).toList();
        if (all.isEmpty()) {
            return "<p class=\"none\">nothing to show</p>\n";
        }
        double[] x = all.stream().mapToDouble(Line.Point::x).toArray();
        double[] y = all.stream().mapToDouble(Line.Point::y).toArray();
        Axis across = axis(x);
        Axis up = axis(y);
        StringBuilder svg = new StringBuilder();
        svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
        svg.append("\" role=\"img\" aria-label=\"").append(Html.escape(title)).append("\">\n");
        grid(svg, across, up);
        marks.forEach(mark -> mark(svg, across, mark));
        for (int i = 0; i < lines.size(); i++) {
            line(svg, lines.get(i), i % COLOURS + 1, new Axis[] {across, up});
        }
        return svg.append("</svg>\n").append(legend()).toString();
    }

    private Axis axis(double[] values) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        return Axis.covering(least, most, logarithmic);
    }

    private void grid(StringBuilder svg, Axis across, Axis up) {
        for (double tick : up.ticks()) {
            String y = number(yOf(up, tick));
            svg.append("<path class=\"grid\" d=\"M").append(LEFT).append(' ').append(y);
            svg.append('H').append(WIDTH - RIGHT).append("\"/>");
            text(svg, LEFT - 6, yOf(up, tick) + 4, "end", Axis.label(tick));
        }
        for (double tick : across.ticks()) {
            text(svg, xOf(across, tick), HEIGHT - BOTTOM + 16, "middle", Axis.label(tick));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, "middle", xLabel);
        svg.append("<text class=\"label\" transform=\"translate(14 ").append((HEIGHT - BOTTOM) / 2);
        svg.append(") rotate(-90)\" text-anchor=\"middle\">")
                .append(Html.escape(yLabel))
                .append("</text>\n");
    }

    private static void mark(StringBuilder svg, Axis across, Mark mark) {
        svg.append("<path class=\"mark\" d=\"M")
                .append(number(xOf(across, mark.seconds())))
                .append(' ')
                .append(TOP);
        svg.append('V').append(HEIGHT - BOTTOM).append("\"><title>");
        svg.append(Html.escape(String.format(Locale.ROOT, "%.2f s: %s", mark.seconds(), mark.label())));
        svg.append("</title></path>\n");
    }

    private static void line(StringBuilder svg, Line line, int colour, Axis[] axes) {
        List<Line.Point> points = line.steps() ? line.points() : thinned(line.points());
        if (points.isEmpty()) {
            return;
        }
        svg.append("<path class=\"line s").append(colour).append("\" d=\"");
        for (int i = 0; i < points.size(); i++) {
            String x = number(xOf(axes[0], points.get(i).x()));
            String y = number(yOf(axes[1], points.get(i).y()));
            boolean step = line.steps() && i > 0;
            svg.append(i == 0 ? "M" + x + ' ' + y : step ? "H" + x + "V" + y : "L" + x + ' ' + y);
        }
        svg.append("\"><title>").append(Html.escape(line.name())).append("</title></path>\n");
    }

    private String legend() {
        StringBuilder legend = new StringBuilder("<p class=\"legend\">");
        for (int i = 0; i < lines.size(); i++) {
            legend.append("<span class=\"k").append(i % COLOURS + 1).append("\">");
            legend.append(Html.escape(lines.get(i).name())).append("</span> ");
        }
        if (!marks.isEmpty()) {
            legend.append("<span class=\"km\">moves</span>");
        }
        return legend.append("</p>\n").toString();
    }

    private static List<Line.Point> thinned(List<Line.Point> points) {
        int group = (points.size() + MAX_POINTS - 1) / MAX_POINTS;
        if (group <= 1) {
            return points;
        }
        List<Line.Point> means = new ArrayList<>();
        for (int from = 0; from < points.size(); from += group) {
            List<Line.Point> some = points.subList(from, Math.min(points.size(), from + group));
            means.add(new Line.Point(
                    some.stream().mapToDouble(Line.Point::x).average().orElse(0),
                    some.stream().mapToDouble(Line.Point::y).average().orElse(0)));
        }
        return means;
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append("<text class=\"label\" x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y));
        svg.append("\" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(Html.escape(text))
                .append("</text>\n");
    }

    private static double xOf(Axis axis, double value) {
        return LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT);
    }

    private static double yOf(Axis axis, double value) {
        return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - BOTTOM - TOP);
    }

    private static String number(double pixels) {
        return String.format(Locale.ROOT, "%.1f", pixels);
    }
}
