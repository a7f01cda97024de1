package dev.retier.sim.page;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.decide.StayReason;
import dev.retier.report.HtmlPage;
import dev.retier.report.HtmlPage.Card;
import dev.retier.report.OutputFormat;
import dev.retier.sim.run.Comparison;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.SiteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A comparison as one page that stands on its own. Stateless. */
public final class ComparisonPage {
    private ComparisonPage() {}

    /** The page. */
    public static String html(Comparison comparison, String load) {
        var config = comparison.setup().config();
        HtmlPage page = new HtmlPage("Simulated: cluster " + config.name() + " under " + load)
                .paragraph(
                        "lead",
                        "The decisions, moves and locks of the agents, in virtual time, over servers and clients that"
                                + " are a model: figures, not measurements.")
                .cards(cards(comparison));
        for (int site = 0; site < config.sites().size(); site++) {
            SiteConfig shown = config.sites().get(site);
            page.plot(RunCharts.throughput("Throughput of " + shown.name(), comparison.outcomes(), site));
        }
        page.plot(RunCharts.sizes(
                "Nodes of each tier, and moves", comparison.reconfigured(), comparison.outcomes(), config));
        page.heading("All figures").table(comparison.table().cells());
        page.heading("What the agents answered").table(reasons(comparison.reconfigured()));
        return page.data("retier-simulation", comparison.table().format(OutputFormat.JSON))
                .html();
    }

    private static List<Card> cards(Comparison comparison) {
        Outcome reconfigured = comparison.reconfigured();
        List<Card> cards = new ArrayList<>();
        cards.add(new Card(
                times(reconfigured.perSecond() / comparison.bestRigid().perSecond()), "throughput over best rigid"));
        cards.add(new Card(
                percent(reconfigured.perSecond() / comparison.oracle().perSecond()), "of the oracle's throughput"));
        cards.add(new Card(String.valueOf(reconfigured.moves().size()), "moves"));
        for (SiteOutcome site : reconfigured.sites()) {
            if (site.guaranteePerSecond() != null) {
                cards.add(
                        new Card(percent(site.keptShare()), "of the intervals " + site.site() + " got its guarantee"));
            }
        }
        return cards;
    }

    private static List<List<String>> reasons(Outcome outcome) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("answer", "looks", "code"));
        outcome.reasons().entrySet().stream()
                .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                .forEach(entry ->
                        rows.add(List.of(sentence(entry.getKey()), String.valueOf(entry.getValue()), entry.getKey())));
        return rows;
    }

    /** What a code means; the code, as it stands in journals and status pages, is beside it. */
    private static String sentence(String code) {
        Stream<String> stays = Stream.of(StayReason.values())
                .filter(reason -> reason.name().equals(code))
                .map(StayReason::sentence);
        Stream<String> moves = Stream.of(MoveReason.values())
                .filter(reason -> reason.name().equals(code))
                .map(MoveReason::sentence);
        return Stream.concat(stays, moves).findFirst().orElse(code);
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, "%.2fx", ratio);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
