package dev.retier.sim.page;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.RoleText;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Mark;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Timeline;
import dev.retier.sim.cluster.Chronicle;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.service.Ledger;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Outcomes over time. Stateless. */
public final class RunCharts {
    /** More points than this cannot be told apart. */
    private static final int MOST_POINTS = 400;

    private RunCharts() {}

    /** Throughput of one site under each approach. */
    public static Plot throughput(String title, List<Outcome> outcomes, int site) {
        double seconds = seconds(outcomes);
        List<Series> series = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            List<Point> points = points(outcome.sites().get(site).ledger(), seconds);
            series.add(new Series(outcome.name(), Series.style(series.size()), Shape.LINE, points));
        }
        return Timeline.of(seconds).rates(title, series);
    }

    private static double seconds(List<Outcome> outcomes) {
        return outcomes.stream().mapToDouble(Outcome::seconds).max().orElse(1);
    }

    private static List<Point> points(Ledger ledger, double seconds) {
        double bucketSeconds = Ledger.BUCKET_NANOS / 1e9;
        int step = Math.max(5, (int) Math.ceil(seconds / bucketSeconds / MOST_POINTS));
        double lineSeconds = step * bucketSeconds;
        int count = ledger.buckets() / step;
        return Timeline.rate(count, lineSeconds, count * lineSeconds, i -> ledger.done(i * step, step) / lineSeconds);
    }

    /**
     * How many nodes each tier had in one of {@code outcomes}, with the moves marked; as long as their throughput's, so
     * that the two line up.
     */
    public static Plot sizes(String title, Outcome outcome, List<Outcome> outcomes, ClusterConfig config) {
        List<Series> series = new ArrayList<>();
        for (SiteConfig site : config.sites()) {
            for (Tier tier : Tier.values()) {
                Role role = Role.serving(site.id(), tier);
                series.add(Timeline.steps(
                        RoleText.of(role, config),
                        Series.style(series.size()),
                        sizes(outcome, role),
                        outcome.seconds()));
            }
        }
        List<Mark> marks = outcome.moves().stream()
                .map(move -> new Mark(
                        move.orderedSeconds(),
                        String.format(
                                Locale.ROOT,
                                "%.1f s: %s from %s to %s (%s)",
                                move.orderedSeconds(),
                                config.node(move.node()).name(),
                                RoleText.of(move.from(), config),
                                RoleText.of(move.to(), config),
                                move.undone() == null ? String.valueOf(move.reason()) : "undone: " + move.undone())))
                .toList();
        return Timeline.of(seconds(outcomes))
                .withMarks(marks.size() > MOST_POINTS ? List.of() : marks)
                .nodes(title, series);
    }

    private static List<Point> sizes(Outcome outcome, Role role) {
        List<Point> points = new ArrayList<>();
        for (Chronicle.Sizes sizes : outcome.sizes()) {
            if (sizes.seconds() <= outcome.seconds()) {
                points.add(new Point(Math.max(0, sizes.seconds()), sizes.of(role)));
            }
        }
        return points;
    }
}
