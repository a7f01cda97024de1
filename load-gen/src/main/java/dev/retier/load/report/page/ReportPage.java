package dev.retier.load.report.page;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.report.Guarantee;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultJson;
import dev.retier.load.report.ResultTable;
import dev.retier.report.HtmlPage;
import dev.retier.report.HtmlPage.Card;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The page about one run, or several to compare.
 *
 * @param title heading of the page
 * @param runs what is shown, with the name each has in tables and legends; at least one
 */
public record ReportPage(String title, List<NamedRun> runs) {
    /** The element of the page that holds the JSON. */
    public static final String DATA_ID = "results";

    private static final int MAX_ROWS = 200;
    private static final int MAX_MAPS = 8;

    /** Copies the list. */
    public ReportPage {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a report needs at least one run");
        }
    }

    /** Each run named after its site. */
    public static ReportPage of(String title, List<LoadResult> runs) {
        return new ReportPage(title, NamedRun.bySite(runs));
    }

    /** The whole HTML text, in UTF-8 when written. */
    public String html() {
        HtmlPage page = new HtmlPage(title);
        runs.forEach(run -> page.paragraph("lead", sentence(run)));
        runs.forEach(run -> warnings(run).forEach(warning -> page.paragraph("warning", warning)));
        if (runs.size() == 1) {
            page.cards(cards(runs.getFirst().result()));
        }
        charts(page);
        page.heading("Figures").table(ResultTable.of(runs).cells());
        page.paragraph("dim", "Latency is " + runs.getFirst().result().latencyMeaning() + ".");
        if (runs.stream()
                .anyMatch(run -> run.result().hasDueTimes() && run.result().streams() == null)) {
            page.paragraph(
                    "dim",
                    "Service time is of whole answers alone, from their sending; requests that were never answered are"
                            + " in the latency, with all that they waited.");
        }
        guarantees(page);
        page.heading("Nodes").table(nodes());
        moves(page);
        bursts(page);
        return page.data(
                        DATA_ID,
                        ResultJson.write(runs.stream().map(NamedRun::result).toList()))
                .html();
    }

    private String sentence(NamedRun run) {
        LoadResult result = run.result();
        return String.format(
                Locale.ROOT,
                "%s%s: %s, %d clients, %.1f s, ended by %s.",
                runs.size() == 1 ? "" : run.name() + ": ",
                result.trace(),
                result.hasDueTimes() ? "open loop" : "closed loop",
                result.clients(),
                result.elapsedMillis() / 1000,
                result.end().toString().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    private List<String> warnings(NamedRun run) {
        List<String> warnings = new ArrayList<>(run.result().health().warnings());
        if (run.result().problem() != null) {
            warnings.addFirst(run.result().problem());
        }
        if (run.result().reading().bad() > 0) {
            warnings.add(run.result().reading().bad() + " entries of the trace were bad and left out");
        }
        return warnings.stream()
                .map(warning -> runs.size() == 1 ? warning : run.name() + ": " + warning)
                .toList();
    }

    private static List<Card> cards(LoadResult run) {
        List<Card> cards = new ArrayList<>();
        StreamFigures streams = run.streams();
        if (streams == null) {
            cards.add(new Card(String.format(Locale.ROOT, "%.0f", run.answeredPerSecond()), "requests/s"));
        } else {
            cards.add(new Card(Long.toString(streams.mostOpen()), "streams open at most"));
            double perSecond = streams.events() * 1000 / Math.max(1, run.elapsedMillis());
            cards.add(new Card(String.format(Locale.ROOT, "%.0f", perSecond), "events/s"));
        }
        String what = streams == null ? "latency" : "time to open";
        cards.add(new Card(millis(run.latency().p50Nanos()), what + " p50"));
        cards.add(new Card(millis(run.latency().p99Nanos()), what + " p99"));
        cards.add(new Card(Long.toString(run.totals().failed()), "failed"));
        cards.add(new Card(Long.toString(run.totals().dropped()), "dropped"));
        Guarantee.Kept kept = run.guarantee();
        if (kept != null) {
            cards.add(new Card(String.format(Locale.ROOT, "%.1f %%", kept.share() * 100), "guarantee kept"));
        }
        return cards;
    }

    private void charts(HtmlPage page) {
        RunCharts charts = new RunCharts(runs);
        page.heading("Over time");
        if (runs.stream().anyMatch(run -> run.result().streams() != null)) {
            page.plot(charts.openStreams()).plot(charts.events());
        } else {
            page.plot(charts.throughput());
        }
        boolean spoiled = runs.stream()
                .anyMatch(run ->
                        run.result().totals().failed() + run.result().totals().dropped() > 0);
        if (spoiled) {
            page.plot(charts.failures());
        }
        if (runs.size() > 1) {
            page.plot(charts.percentileOverTime("p50", LatencyInterval::p50Nanos));
            page.plot(charts.percentileOverTime("p99", LatencyInterval::p99Nanos));
        }
        runs.stream().limit(MAX_MAPS).forEach(run -> page.plot(charts.heatMap(run)));
        runs.stream()
                .filter(run -> !run.result().tiers().sizes().isEmpty())
                .forEach(run -> page.plot(charts.tiers(run)));
        page.heading("All requests").plot(charts.percentiles());
    }

    private void guarantees(HtmlPage page) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("site", "priority", "guarantee requests/s", "intervals", "of s", "kept", "kept %"));
        for (NamedRun run : runs) {
            Guarantee.Kept kept = run.result().guarantee();
            if (kept != null) {
                rows.add(List.of(
                        run.name(),
                        Integer.toString(kept.guarantee().priority()),
                        String.format(Locale.ROOT, "%.1f", kept.guarantee().perSecond()),
                        Integer.toString(kept.intervals()),
                        String.format(Locale.ROOT, "%.1f", kept.seconds()),
                        Integer.toString(kept.kept()),
                        String.format(Locale.ROOT, "%.1f", kept.share() * 100)));
            }
        }
        if (rows.size() > 1) {
            page.heading("Guarantees").table(rows);
        }
    }

    private List<List<String>> nodes() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("node", "answered", "failed"));
        for (NamedRun run : runs) {
            String before = runs.size() == 1 ? "" : run.name() + ": ";
            run.result().targets().stream()
                    .limit(MAX_ROWS)
                    .forEach(target -> rows.add(List.of(
                            before + target.target(),
                            Long.toString(target.answered()),
                            Long.toString(target.failed()))));
        }
        return rows;
    }

    private void moves(HtmlPage page) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("node", "seen at s", "from", "to"));
        for (NamedRun run : runs) {
            run.result().tiers().moves().stream()
                    .limit(MAX_ROWS)
                    .forEach(move -> rows.add(List.of(
                            move.node(), String.format(Locale.ROOT, "%.1f", move.seconds()), move.from(), move.to())));
        }
        if (rows.size() > 1) {
            page.heading("Moves").table(rows);
        }
    }

    private void bursts(HtmlPage page) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("burst", "kind", "from s", "to s", "answered", "failed", "requests/s"));
        for (NamedRun run : runs) {
            String before = runs.size() == 1 ? "" : run.name() + ": ";
            run.result().bursts().stream()
                    .limit(MAX_ROWS)
                    .forEach(burst -> rows.add(burst(before + burst.segment(), burst)));
        }
        page.heading("Bursts").table(rows);
    }

    private static List<String> burst(String name, Burst burst) {
        return List.of(
                name,
                burst.kind().toString().toLowerCase(Locale.ROOT),
                String.format(Locale.ROOT, "%.2f", burst.firstSentMillis() / 1000),
                String.format(Locale.ROOT, "%.2f", burst.lastDoneMillis() / 1000),
                Long.toString(burst.answered()),
                Long.toString(burst.failed()),
                String.format(Locale.ROOT, "%.1f", burst.answeredPerSecond()));
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000_000 ? "%.2f ms" : "%.0f ms", nanos / 1e6);
    }
}
