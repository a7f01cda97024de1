package dev.retier.sim.page;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.RoleText;
import dev.retier.report.Chart;
import dev.retier.report.Chart.Mark;
import dev.retier.report.Chart.Point;
import dev.retier.report.Chart.Series;
import dev.retier.report.Chart.Shape;
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

    private static final double HEADROOM = 1.1;

    private RunCharts() {}

    /** Throughput of one site under each approach. */
    public static Chart throughput(String title, List<Outcome> outcomes, int site) {
        double seconds = seconds(outcomes);
        List<Series> series = new ArrayList<>();
        double top = 1;
        for (Outcome outcome : outcomes) {
            List<Point> points = points(outcome.sites().get(site).ledger(), seconds);
            top = Math.max(top, points.stream().mapToDouble(Point::y).max().orElse(1));
            series.add(new Series(outcome.name(), Series.style(series.size()), Shape.LINE, points));
        }
        return new Chart(title, "requests/s", Math.max(seconds, 0.1), top * HEADROOM, List.of(), series, List.of());
    }

    private static double seconds(List<Outcome> outcomes) {
        return outcomes.stream().mapToDouble(Outcome::seconds).max().orElse(1);
    }

    private static List<Point> points(Ledger ledger, double seconds) {
        double bucketSeconds = Ledger.BUCKET_NANOS / 1e9;
        int step = Math.max(5, (int) Math.ceil(seconds / bucketSeconds / MOST_POINTS));
        List<Point> points = new ArrayList<>();
        for (int first = 0; first + step <= ledger.buckets(); first += step) {
            double middle = (first + step / 2.0) * bucketSeconds;
            points.add(new Point(middle, ledger.done(first, step) / (step * bucketSeconds)));
        }
        return points;
    }

    /**
     * How many nodes each tier had in one of {@code outcomes}, with the moves marked; as long as their throughput's, so
     * that the two line up.
     */
    public static Chart sizes(String title, Outcome outcome, List<Outcome> outcomes, ClusterConfig config) {
        List<Series> series = new ArrayList<>();
        for (SiteConfig site : config.sites()) {
            for (Tier tier : Tier.values()) {
                Role role = Role.serving(site.id(), tier);
                series.add(new Series(
                        RoleText.of(role, config), Series.style(series.size()), Shape.STEP, sizes(outcome, role)));
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
        return new Chart(
                title,
                "nodes",
                Math.max(seconds(outcomes), 0.1),
                config.nodes().size() + 1,
                List.of(),
                series,
                marks.size() > MOST_POINTS ? List.of() : marks);
    }

    private static List<Point> sizes(Outcome outcome, Role role) {
        List<Point> points = new ArrayList<>();
        for (Chronicle.Sizes sizes : outcome.sizes()) {
            if (sizes.seconds() <= outcome.seconds()) {
                points.add(new Point(Math.max(0, sizes.seconds()), sizes.of(role)));
            }
        }
        if (!points.isEmpty()) {
            points.add(new Point(outcome.seconds(), points.getLast().y()));
        }
        return points;
    }
}
