package dev.retier.cli.demo;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.report.LoadResult;
import dev.retier.report.Chart;
import dev.retier.report.Chart.Band;
import dev.retier.report.Chart.Mark;
import dev.retier.report.Chart.Point;
import dev.retier.report.Chart.Series;
import dev.retier.report.Chart.Shape;
import dev.retier.report.HtmlPage;
import dev.retier.report.HtmlPage.Card;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The demo's result as a page. Stateless. */
public final class DemoReport {
    private static final double HEADROOM = 1.08;

    private final DemoResult result;
    private final double seconds;
    private final double top;

    private DemoReport(DemoResult result) {
        this.result = result;
        this.seconds =
                Math.max(result.rigid().elapsedSeconds(), result.reconfigured().elapsedSeconds());
        this.top = HEADROOM * Math.max(peak(result.rigid()), peak(result.reconfigured()));
    }

    /** The self-contained page. */
    public static String html(DemoResult result) {
        return new DemoReport(result).page().html();
    }

    private HtmlPage page() {
        DemoSettings settings = result.settings();
        PassResult rigid = result.rigid();
        PassResult reconfigured = result.reconfigured();
        HtmlPage page = new HtmlPage("A data-center that reconfigures itself")
                .paragraph(
                        "lead",
                        format(
                                "%d emulated nodes answered the same trace twice: once with the best rigid split"
                                        + " (%d proxies, %d apps), once with nodes moving between the tiers.",
                                settings.nodes(),
                                rigid.start().proxies(),
                                rigid.start().apps()))
                .cards(cards())
                .heading("Throughput over time")
                .chart(throughput("Rigid", rigid))
                .chart(throughput("Reconfigured (triangles: moves)", reconfigured))
                .heading("Tier sizes over time")
                .chart(tierSizes(reconfigured))
                .heading("Figures")
                .table(result.table().cells())
                .heading("Moves")
                .table(moves(reconfigured));
        incidents(page, reconfigured);
        return page.paragraph("dim", small());
    }

    private List<Card> cards() {
        List<Card> cards = new ArrayList<>();
        cards.add(new Card(format("%.2fx", result.ratio()), "throughput overall"));
        for (Burst.Kind kind : List.of(Burst.Kind.STATIC, Burst.Kind.DYNAMIC)) {
            if (result.rigid().has(kind)) {
                cards.add(new Card(
                        format("%.2fx", result.ratio(kind)), "in " + kind.name().toLowerCase(Locale.ROOT) + " bursts"));
            }
        }
        cards.add(new Card(Integer.toString(result.reconfigured().moves().size()), "moves"));
        cards.add(new Card(Long.toString(result.reconfigured().load().totals().failed()), "failed requests"));
        return cards;
    }

    private Chart throughput(String title, PassResult pass) {
        return new Chart(
                title,
                "requests/s",
                seconds,
                top,
                bands(pass),
                List.of(
                        new Series("static", "a", Shape.LINE, rate(pass, Interval::staticAnswered)),
                        new Series("dynamic", "b", Shape.LINE, rate(pass, Interval::dynamicAnswered))),
                marks(pass));
    }

    private Chart tierSizes(PassResult pass) {
        return new Chart(
                "Nodes that serve in each tier",
                "nodes",
                seconds,
                result.settings().nodes(),
                bands(pass),
                List.of(
                        new Series("proxy", "a", Shape.STEP, sizes(pass, PassResult.TierSizes::proxies)),
                        new Series("app", "b", Shape.STEP, sizes(pass, PassResult.TierSizes::apps))),
                marks(pass));
    }

    private static double peak(PassResult pass) {
        return Math.max(
                1,
                fullIntervals(pass.load()).stream()
                        .mapToDouble(interval ->
                                interval.answered() * 1000 / pass.load().intervalMillis())
                        .max()
                        .orElse(1));
    }

    /** The last interval is usually cut short by the end of the run, and would show a rate that never was. */
    private static List<Interval> fullIntervals(LoadResult load) {
        List<Interval> intervals = load.intervals();
        return intervals.subList(0, Math.max(0, intervals.size() - 1));
    }

    private static List<Point> rate(PassResult pass, ToDoubleFunction<Interval> count) {
        double intervalMillis = pass.load().intervalMillis();
        return fullIntervals(pass.load()).stream()
                .map(interval -> new Point(
                        (interval.startMillis() + intervalMillis / 2) / 1000,
                        count.applyAsDouble(interval) * 1000 / intervalMillis))
                .toList();
    }

    private static List<Point> sizes(PassResult pass, ToDoubleFunction<PassResult.TierSizes> count) {
        List<Point> points = new ArrayList<>();
        pass.sizes().forEach(size -> points.add(new Point(size.seconds(), count.applyAsDouble(size))));
        points.add(new Point(
                pass.elapsedSeconds(), count.applyAsDouble(pass.sizes().getLast())));
        return points;
    }

    private static List<Band> bands(PassResult pass) {
        List<Burst> bursts = pass.load().bursts();
        return IntStream.range(0, bursts.size())
                .mapToObj(index -> new Band(
                        bursts.get(index).firstSentMillis() / 1000,
                        pass.endMillis(index) / 1000,
                        format(
                                "burst %d: %d %s requests",
                                index + 1, bursts.get(index).sent(), kind(bursts.get(index))),
                        kind(bursts.get(index))))
                .toList();
    }

    private static List<Mark> marks(PassResult pass) {
        return pass.moves().stream()
                .map(move -> new Mark(
                        move.seconds(),
                        format(
                                "%.1f s: %s %s to %s, %s in %.0f ms",
                                move.seconds(), move.node(), move.from(), move.to(), move.outcome(), move.millis())))
                .toList();
    }

    private static List<List<String>> moves(PassResult pass) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("node", "ordered at", "from", "to", "outcome", "took"));
        pass.moves()
                .forEach(move -> rows.add(List.of(
                        move.node(),
                        format("%.1f s", move.seconds()),
                        move.from(),
                        move.to(),
                        move.outcome(),
                        format("%.0f ms", move.millis()))));
        return rows;
    }

    private static void incidents(HtmlPage page, PassResult pass) {
        if (!pass.incidents().isEmpty()) {
            page.heading("What else happened");
            pass.incidents().forEach(incident -> page.paragraph("dim", incident));
        }
    }

    private String small() {
        return format(
                "Trace: %s. S = %d ms, T = %d ms, %d clients, seed %d. An emulated node has %.0f units a second;"
                        + " a static hit costs %.2f, a forwarded request %.2f, a dynamic one %.2f. The oracle, which"
                        + " switches to the best split for each burst at no cost, would need %.1f s by the model;"
                        + " reconfigured reached %.0f %% of it. Latency is %s.",
                result.trace(),
                result.settings().sensitivity().toMillis(),
                result.settings().history().toMillis(),
                result.settings().clients(),
                result.settings().seed(),
                DemoSettings.COSTS.capacityPerSecond(),
                DemoSettings.COSTS.staticHit(),
                DemoSettings.COSTS.forward(),
                DemoSettings.COSTS.dynamic(),
                result.oracleSeconds(),
                100 * result.shareOfOracle(),
                LoadResult.SERVICE_TIME);
    }

    private static String kind(Burst burst) {
        return burst.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
