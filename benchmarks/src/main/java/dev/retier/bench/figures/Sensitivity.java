package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Table;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** E6: how often to look. */
record Sensitivity(Rules usual) implements Figure {
    private static final int[] MILLIS = {50, 100, 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800};
    private static final int[] LENGTHS = {2048, 8192, 65_536};
    private static final int LEAST_REQUESTS = 131_072;

    @Override
    public String id() {
        return "E6";
    }

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading("E6: sensitivity (figure 5.12)");
        results.note("T is S, so that S alone is varied. Each look takes " + Math.round(Lab.LOOK)
                + " us of a node's 95,000 us per"
                + " second, as measured for seven nodes; 'free' is the same with looks that take nothing.");
        Table table =
                new Table("burst", "s_ms", "throughput_per_second", "free_looks_per_second", "cost_percent", "moves");
        List<Series> series = new ArrayList<>();
        double worstCost = 0;
        double top = 1;
        for (int length : LENGTHS) {
            List<Point> points = new ArrayList<>();
            for (int millis : MILLIS) {
                Setup setup = setup(length, millis);
                Outcome paid = Lab.reconfigured(setup);
                Outcome free = Lab.reconfigured(setup.with(new Cluster.Settings(Delays.MEASURED, 0, Lab.SEED)));
                double cost = 1 - paid.perSecond() / free.perSecond();
                table.row(
                        length,
                        millis,
                        paid.perSecond(),
                        free.perSecond(),
                        100 * cost,
                        paid.moves().size());
                points.add(new Point(millis / 1e3, paid.perSecond()));
                top = Math.max(top, paid.perSecond());
                worstCost = millis == 200 && length == LENGTHS[LENGTHS.length - 1] ? cost : worstCost;
            }
            series.add(new Series("bursts of " + length, Series.style(series.size()), Shape.LINE, points));
        }
        results.table("e6-sensitivity", table);
        results.plot(Plot.of(
                "E6: throughput by S", Axis.linear("S in s", 1.8), Axis.linear("requests/s", 1.2 * top), series));
        verdicts.judge(
                id(),
                "an S of 0.2 s costs less than 1 % of throughput",
                "short S costs on long bursts",
                String.format(ROOT, "%.2f %%", 100 * worstCost),
                worstCost < 0.01);
    }

    private Setup setup(int length, int millis) {
        Duration every = Duration.ofMillis(millis);
        Rules rules = new Rules(
                usual.timing().withSensitivity(every), usual.decision().withHistory(every), usual.move(), usual.kind());
        int bursts = Math.max(4, LEAST_REQUESTS / length);
        return Lab.setup(Lab.cluster(Allocation.of(2, 5), null, rules), Lab.HTTPD, Lab.bursts(length, bursts));
    }
}
