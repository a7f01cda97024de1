package dev.retier.load.report.page;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The page about one run, or several to compare.
 *
 * @param title heading of the page
 * @param runs what is shown, with the name each has in tables and legends
 * @param tiers tier sizes over time in seconds, empty when no agent supplied them
 * @param moves drawn as vertical lines in the charts over time
 */
public record ReportPage(String title, List<NamedRun> runs, List<Line> tiers, List<Mark> moves) {
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999};
    private static final int MAX_BURSTS = 200;

    /**
     * A run and what to call it.
     *
     * @param name such as "rigid 4/3"
     * @param result its figures
     */
    public record NamedRun(String name, LoadResult result) {}

    /** Copies the lists; at least one run. */
    public ReportPage {
        runs = List.copyOf(runs);
        tiers = List.copyOf(tiers);
        moves = List.copyOf(moves);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a report needs at least one run");
        }
    }

    /** The page without tiers and moves, each run named after its site. */
    public static ReportPage of(String title, List<LoadResult> runs) {
        List<NamedRun> named = new ArrayList<>();
        for (LoadResult run : runs) {
            named.add(new NamedRun(runs.size() == 1 ? run.site() : (named.size() + 1) + ": " + run.site(), run));
        }
        return new ReportPage(title, named, List.of(), List.of());
    }

    /** The whole HTML text, in UTF-8 when written. */
    public String html() {
        StringBuilder page = new StringBuilder(PageStyle.head(title));
        page.append("<h1>").append(Html.escape(title)).append("</h1>\n").append(summary());
        section(page, "Throughput", throughput().svg());
        if (!tiers.isEmpty()) {
            section(page, "Nodes per tier", new Chart("Nodes per tier", "s", "nodes", tiers, moves, false).svg());
        }
        section(
                page,
                "Latency by percentile",
                latency().svg() + "<p class=\"note\">"
                        + Html.escape(runs.getFirst().result().latencyMeaning()) + "</p>\n");
        section(page, "Bursts", bursts());
        section(page, "Failures and targets", failures());
        page.append("<script type=\"application/json\" id=\"results\">\n");
        page.append(Html.inScript(
                ResultJson.write(runs.stream().map(NamedRun::result).toList())));
        return page.append("\n</script>\n</main></body></html>\n").toString();
    }

    private String summary() {
        List<List<String>> rows = new ArrayList<>();
        row(rows, "requests/s", run -> String.format(Locale.ROOT, "%.1f", run.answeredPerSecond()));
        row(rows, "answered", run -> Long.toString(run.totals().answered()));
        row(rows, "failed", run -> Long.toString(run.totals().failed()));
        row(rows, "dropped", run -> Long.toString(run.totals().dropped()));
        latencyRow(rows, "p50", Latency::p50Nanos);
        latencyRow(rows, "p90", Latency::p90Nanos);
        latencyRow(rows, "p99", Latency::p99Nanos);
        latencyRow(rows, "p99.9", Latency::p999Nanos);
        latencyRow(rows, "max", Latency::maxNanos);
        row(rows, "late (10 ms)", run -> Long.toString(run.lateRequests()));
        row(rows, "clients", run -> Integer.toString(run.clients()));
        row(rows, "trace", LoadResult::trace);
        row(rows, "end", run -> run.problem() == null ? run.end().toString() : run.end() + ": " + run.problem());
        return Html.table(heading(""), rows);
    }

    private Chart throughput() {
        List<Line> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            if (runs.size() == 1) {
                lines.add(rate("static", run.result(), Interval::staticAnswered));
                lines.add(rate("dynamic", run.result(), Interval::dynamicAnswered));
                lines.add(rate("failed", run.result(), Interval::failed));
            } else {
                lines.add(rate(run.name(), run.result(), Interval::answered));
            }
        }
        return new Chart("Throughput", "s", "requests/s", lines, moves, false);
    }

    private static Line rate(String name, LoadResult run, ToLongFunction<Interval> count) {
        List<Line.Point> points = run.intervals().stream()
                .map(interval -> new Line.Point(
                        interval.startMillis() / 1000.0, count.applyAsLong(interval) * 1000 / run.intervalMillis()))
                .toList();
        return new Line(name, points, false);
    }

    private Chart latency() {
        List<Line> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            Histogram histogram = LatencyHistograms.decode(run.result().latency());
            List<Line.Point> points = new ArrayList<>();
            for (double percentile : PERCENTILES) {
                double oneIn = 100 / (100 - percentile);
                if (oneIn <= histogram.getTotalCount()) {
                    points.add(new Line.Point(oneIn, Math.max(1e-3, histogram.getValueAtPercentile(percentile) / 1e6)));
                }
            }
            lines.add(new Line(run.name(), points, false));
        }
        return new Chart("Latency", "slowest one in ... requests", "ms", lines, List.of(), true);
    }

    private String bursts() {
        List<List<String>> rows = new ArrayList<>();
        for (NamedRun run : runs) {
            for (Burst burst : run.result().bursts().stream().limit(MAX_BURSTS).toList()) {
                rows.add(List.of(
                        run.name() + " #" + burst.segment(),
                        burst.kind().toString().toLowerCase(Locale.ROOT),
                        String.format(Locale.ROOT, "%.2f", burst.firstSentMillis() / 1000),
                        String.format(Locale.ROOT, "%.2f", burst.lastDoneMillis() / 1000),
                        Long.toString(burst.answered()),
                        Long.toString(burst.failed()),
                        String.format(Locale.ROOT, "%.1f", burst.answeredPerSecond())));
            }
        }
        return Html.table(List.of("burst", "kind", "from s", "to s", "answered", "failed", "requests/s"), rows);
    }

    private String failures() {
        List<List<String>> rows = new ArrayList<>();
        for (NamedRun run : runs) {
            run.result().totals().failures().entrySet().stream()
                    .sorted(java.util.Map.Entry.comparingByKey())
                    .forEach(entry -> rows.add(List.of(
                            run.name(),
                            entry.getKey().toString(),
                            "",
                            entry.getValue().toString())));
            run.result().targets().stream()
                    .limit(MAX_BURSTS)
                    .forEach(target -> rows.add(List.of(
                            run.name(),
                            target.target(),
                            Long.toString(target.answered()),
                            Long.toString(target.failed()))));
        }
        return Html.table(List.of("run", "failure or target", "answered", "failed"), rows);
    }

    private void latencyRow(List<List<String>> rows, String name, ToLongFunction<Latency> value) {
        row(rows, name, run -> String.format(Locale.ROOT, "%.2f ms", value.applyAsLong(run.latency()) / 1e6));
    }

    private void row(List<List<String>> rows, String name, Function<LoadResult, String> value) {
        List<String> row = new ArrayList<>(List.of(name));
        runs.forEach(run -> row.add(value.apply(run.result())));
        rows.add(row);
    }

    private List<String> heading(String corner) {
        List<String> heading = new ArrayList<>(List.of(corner));
        runs.forEach(run -> heading.add(run.name()));
        return heading;
    }

    private static void section(StringBuilder page, String heading, String body) {
        page.append("<section><h2>")
                .append(Html.escape(heading))
                .append("</h2>\n")
                .append(body)
                .append("</section>\n");
    }
}
