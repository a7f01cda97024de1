package dev.retier.load.report.page;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.measure.StreamInterval;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.target.TierHistory;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The charts about runs; those over time have one axis, so that they line up. */
final class RunCharts {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MAX_BANDS = 200;
    private static final double[] PERCENTILES = {0, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.95, 99.99, 99.999};

    private final List<NamedRun> runs;
    private final Timeline time;

    RunCharts(List<NamedRun> runs) {
        this.runs = runs;
        this.time = Timeline.of(longest(run -> run.elapsedMillis() / 1000));
    }

    /** Answers of one run by class, and its failures; or the answers of each of several. */
    Plot throughput() {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            if (runs.size() == 1) {
                addRate(lines, rate("static", Timeline.STATIC, run.result(), Interval::staticAnswered));
                addRate(lines, rate("dynamic", Timeline.DYNAMIC, run.result(), Interval::dynamicAnswered));
                addRate(lines, rate("failed", Timeline.FAILED, run.result(), Interval::failed));
            } else {
                lines.add(rate(run.name(), Series.style(lines.size()), run.result(), Interval::answered));
            }
        }
        List<Plot.Band> bands = runs.size() == 1 ? bands(runs.getFirst().result()) : List.of();
        return time.withBands(bands).withMarks(allMoves()).rates("Throughput", lines);
    }

    /** A line that is zero throughout would only fill the legend. */
    private static void addRate(List<Series> lines, Series line) {
        if (line.points().stream().anyMatch(point -> point.y() > 0)) {
            lines.add(line);
        }
    }

    /** How many streams each run held, at the end of each interval. */
    Plot openStreams() {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            lines.add(streams(run, Series.style(lines.size()), StreamInterval::open, 1));
        }
        return time.plot("Open streams", "streams", lines);
    }

    /** What came over them. */
    Plot events() {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            double perSecond = 1000 / run.result().intervalMillis();
            lines.add(streams(run, Series.style(lines.size()), StreamInterval::events, perSecond));
        }
        return time.plot("Events", "events/s", lines);
    }

    private static Series streams(NamedRun run, String style, ToLongFunction<StreamInterval> count, double factor) {
        LoadResult result = run.result();
        StreamFigures streams = result.streams();
        List<Point> points = new ArrayList<>();
        for (StreamInterval interval : streams == null ? List.<StreamInterval>of() : streams.intervals()) {
            double end = interval.startMillis() + result.intervalMillis();
            if (end <= result.elapsedMillis() || points.isEmpty()) {
                points.add(new Point(end / 1000, count.applyAsLong(interval) * factor));
            }
        }
        return new Series(run.name(), style, Shape.LINE, points);
    }

    /** Failures and drops of each run, when there were any. */
    Plot failures() {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            lines.add(rate(
                    run.name(),
                    runs.size() == 1 ? Timeline.FAILED : Series.style(lines.size()),
                    run.result(),
                    interval -> interval.failed() + interval.dropped()));
        }
        return time.rates("Failed and dropped", lines);
    }

    /** One percentile of each run. */
    Plot percentileOverTime(String name, ToLongFunction<LatencyInterval> which) {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            lines.add(latency(run.name(), Series.style(lines.size()), run.result(), which));
        }
        return time.withMarks(allMoves()).plot("Latency " + name, latencyAxis(lines), lines);
    }

    /** Where the answers of one run lie, darker where more of them do, and its percentiles. */
    Plot heatMap(NamedRun run) {
        List<Series> lines = percentileLines(run);
        Axis up = latencyAxis(
                runs.stream().flatMap(each -> percentileLines(each).stream()).toList());
        List<Plot.Cell> cells = HeatCells.of(run.result().latencyOverTime(), up);
        String title = "Latency over time" + (runs.size() == 1 ? "" : ": " + run.name());
        return time.withMarks(moves(run.result().tiers()))
                .plot(title, up, lines)
                .withCells(cells);
    }

    private static List<Series> percentileLines(NamedRun run) {
        return List.of(
                latency("p50", "c", run.result(), LatencyInterval::p50Nanos),
                latency("p90", "h", run.result(), LatencyInterval::p90Nanos),
                latency("p99", "e", run.result(), LatencyInterval::p99Nanos),
                latency("max", "f dashed", run.result(), LatencyInterval::maxNanos));
    }

    /** How much latency each share of the requests had. */
    Plot percentiles() {
        List<Series> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            boolean single = runs.size() == 1;
            curve(
                    lines,
                    single ? "all" : run.name(),
                    single ? "all" : Series.style(lines.size()),
                    run.result().latency());
            if (single) {
                if (run.result().staticLatency().count() > 0
                        && run.result().dynamicLatency().count() > 0) {
                    curve(lines, "static", Timeline.STATIC, run.result().staticLatency());
                    curve(lines, "dynamic", Timeline.DYNAMIC, run.result().dynamicLatency());
                }
                if (run.result().hasDueTimes()) {
                    curve(lines, "service time", "g", run.result().service());
                    curve(lines, "lateness", "i", run.result().lateness());
                }
            }
        }
        double oneIn = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::x)
                .max()
                .orElse(10);
        return Plot.of("Latency by percentile", Axis.percentile(oneIn), latencyAxis(lines), lines);
    }

    /** Nodes per tier, as an agent told. */
    Plot tiers(NamedRun run) {
        TierHistory tiers = run.result().tiers();
        double end = run.result().elapsedMillis() / 1000;
        List<Series> lines = List.of(
                sizes("proxy", Timeline.STATIC, tiers, end, TierHistory.Sizes::proxies),
                sizes("app", Timeline.DYNAMIC, tiers, end, TierHistory.Sizes::apps));
        String title = "Nodes per tier" + (runs.size() == 1 ? "" : ": " + run.name());
        return time.withMarks(moves(tiers)).nodes(title, lines);
    }

    private List<Plot.Mark> allMoves() {
        return runs.stream()
                .flatMap(run -> moves(run.result().tiers()).stream())
                .toList();
    }

    private static List<Plot.Mark> moves(TierHistory tiers) {
        return tiers.moves().stream()
                .map(move -> new Plot.Mark(
                        move.seconds(),
                        String.format(
                                Locale.ROOT,
                                "%.1f s: %s %s to %s",
                                move.seconds(),
                                move.node(),
                                move.from(),
                                move.to())))
                .toList();
    }

    private static List<Plot.Band> bands(LoadResult run) {
        if (run.bursts().size() < 2) {
            return List.of();
        }
        return run.bursts().stream().limit(MAX_BANDS).map(RunCharts::band).toList();
    }

    private static Plot.Band band(Burst burst) {
        String kind = burst.kind().toString().toLowerCase(Locale.ROOT);
        return new Plot.Band(
                burst.firstSentMillis() / 1000,
                burst.lastDoneMillis() / 1000,
                "burst " + burst.segment() + ": " + burst.sent() + " " + kind + " requests",
                kind);
    }

    private static Series rate(String name, String style, LoadResult run, ToLongFunction<Interval> count) {
        double seconds = run.intervalMillis() / 1000;
        return new Series(
                name,
                style,
                Shape.LINE,
                Timeline.rate(
                        run.intervals().size(),
                        seconds,
                        run.elapsedMillis() / 1000,
                        i -> count.applyAsLong(run.intervals().get(i)) / seconds));
    }

    private static Series latency(String name, String style, LoadResult run, ToLongFunction<LatencyInterval> which) {
        double millis = run.latencyOverTime().intervalMillis();
        List<Point> points = run.latencyOverTime().intervals().stream()
                .filter(interval -> interval.count() > 0)
                .map(interval -> new Point(
                        (interval.startMillis() + millis / 2) / 1000, which.applyAsLong(interval) / NANOS_PER_MILLI))
                .toList();
        return new Series(name, style, Shape.LINE, points);
    }

    private static void curve(List<Series> lines, String name, String style, Latency latency) {
        if (latency.count() == 0) {
            return;
        }
        Histogram histogram = LatencyHistograms.decode(latency);
        List<Point> points = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            double oneIn = 100 / (100 - percentile);
            if (oneIn <= histogram.getTotalCount()) {
                points.add(new Point(oneIn, histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI));
            }
        }
        lines.add(new Series(name, style, Shape.LINE, points));
    }

    private static Series sizes(
            String name, String style, TierHistory tiers, double end, ToDoubleFunction<TierHistory.Sizes> count) {
        List<Point> changes = tiers.sizes().stream()
                .map(size -> new Point(size.seconds(), count.applyAsDouble(size)))
                .toList();
        return Timeline.steps(name, style, changes, end);
    }

    private static Axis latencyAxis(List<Series> lines) {
        double[] values = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::y)
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        return values.length == 0 ? Axis.log("ms", 0.1, 10) : Axis.log("ms", values[0], values[values.length - 1]);
    }

    private double longest(Function<LoadResult, Double> what) {
        return runs.stream().mapToDouble(run -> what.apply(run.result())).max().orElse(0);
    }
}
