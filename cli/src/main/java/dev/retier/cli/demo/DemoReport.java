package dev.retier.cli.demo;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.report.LoadResult;
import dev.retier.report.Axis;
import dev.retier.report.HtmlPage;
import dev.retier.report.HtmlPage.Card;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Band;
import dev.retier.report.Plot.Mark;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The demo's result as a page. Stateless. */
public final class DemoReport {
    private final DemoResult result;
    private final double seconds;
    private final double top;

    private DemoReport(DemoResult result) {
        this.result = result;
        this.seconds =
                Math.max(result.rigid().elapsedSeconds(), result.reconfigured().elapsedSeconds());
        this.top = Math.max(Timeline.top(rates(result.rigid())), Timeline.top(rates(result.reconfigured())));
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
                .plot(throughput("Rigid", rigid))
                .plot(throughput("Reconfigured (triangles: moves)", reconfigured))
                .heading("Tier sizes over time")
                .plot(tierSizes(reconfigured))
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

    /** Both passes on one scale, so that they can be compared. */
    private Plot throughput(String title, PassResult pass) {
        return timeline(pass).plot(title, Axis.linear("requests/s", top), rates(pass));
    }

    private static List<Series> rates(PassResult pass) {
        return List.of(
                rate("static", Timeline.STATIC, pass.load(), Interval::staticAnswered),
                rate("dynamic", Timeline.DYNAMIC, pass.load(), Interval::dynamicAnswered));
    }

    private static Series rate(String name, String style, LoadResult load, ToDoubleFunction<Interval> count) {
        double seconds = load.intervalMillis() / 1000;
        return new Series(
                name,
                style,
                Shape.LINE,
                Timeline.rate(
                        load.intervals().size(),
                        seconds,
                        load.elapsedMillis() / 1000,
                        i -> count.applyAsDouble(load.intervals().get(i)) / seconds));
    }

    private Plot tierSizes(PassResult pass) {
        return timeline(pass)
                .nodes(
                        "Nodes that serve in each tier",
                        List.of(
                                sizes("proxy", Timeline.STATIC, pass, PassResult.TierSizes::proxies),
                                sizes("app", Timeline.DYNAMIC, pass, PassResult.TierSizes::apps)));
    }

    private Timeline timeline(PassResult pass) {
        return Timeline.of(seconds).withBands(bands(pass)).withMarks(marks(pass));
    }

    private static Series sizes(
            String name, String style, PassResult pass, ToDoubleFunction<PassResult.TierSizes> count) {
        List<Point> changes = pass.sizes().stream()
                .map(size -> new Point(size.seconds(), count.applyAsDouble(size)))
                .toList();
        return Timeline.steps(name, style, changes, pass.elapsedSeconds());
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
                "Trace: %s. S = %d ms, T = %d ms, %d clients (%s), seed %d. An emulated node has %.0f units a second;"
                        + " a static hit costs %.2f, a forwarded request %.2f, a dynamic one %.2f. The oracle, which"
                        + " switches to the best split for each burst at no cost, would need %.1f s by the model;"
                        + " reconfigured reached %.0f %% of it. Latency is %s.",
                result.trace(),
                result.settings().sensitivity().toMillis(),
                result.settings().history().toMillis(),
                result.settings().clients(),
                result.settings().connections().name().toLowerCase(Locale.ROOT),
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
