package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import java.util.ArrayList;
import java.util.List;

/** E1: which split is best, for which mix. */
final class Splits implements Figure {
    private static final long REQUESTS = 30_000;
    private static final int[] PERCENT_STATIC = {0, 25, 50, 75, 90, 100};
    private static final String SOURCE = "7 nodes: 6p+1a at 100 % static, 1p+6a at 0 %, 2p+5a at 50 %";

    @Override
    public String id() {
        return "E1";
    }

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading("E1: the best rigid split (figures 5.3 to 5.6)");
        results.note("Requests per second of every split, 72 clients in a closed loop. Costs of real httpd nodes for 16"
                + " KB files; the smaller files differ in what a proxy's hit costs.");
        Table table = new Table("nodes", "file", "split", "static_percent", "throughput_per_second");
        List<String> best = new ArrayList<>();
        for (int nodes : new int[] {7, 6, 5}) {
            best.add(best(table, nodes, "16 KB", Lab.HTTPD, results));
        }
        best(table, 7, "4 KB", new NodeCosts(Lab.CAPACITY, 280, 280, 97, 1570), results);
        best(table, 7, "2 KB", new NodeCosts(Lab.CAPACITY, 260, 260, 97, 1570), results);
        results.table("e1-splits", table);
        verdicts.judge(
                id(), "the same shape", SOURCE, best.getFirst(), best.getFirst().equals("1p+6a, 2p+5a, 6p+1a"));
    }

    /** The best splits at 0, 50 and 100 % static. */
    private static String best(Table table, int nodes, String file, NodeCosts costs, Results results) {
        List<Series> series = new ArrayList<>();
        List<List<Double>> rates = new ArrayList<>();
        for (int proxies = 1; proxies < nodes; proxies++) {
            Allocation split = Allocation.of(proxies, nodes - proxies);
            List<Point> points = new ArrayList<>();
            List<Double> own = new ArrayList<>();
            for (int percent : PERCENT_STATIC) {
                double rate = rate(split, 1 - percent / 100.0, costs);
                own.add(rate);
                points.add(new Point(percent, rate));
                table.row(nodes, file, split.toString(), percent, rate);
            }
            rates.add(own);
            series.add(new Series(split.toString(), Series.style(series.size()), Shape.LINE, points));
        }
        double top = 1.1
                * rates.stream()
                        .flatMap(List::stream)
                        .mapToDouble(rate -> rate)
                        .max()
                        .orElse(1);
        results.plot(Plot.of(
                String.format(ROOT, "E1: %d nodes, files of %s", nodes, file),
                Axis.linear("% static", 100),
                Axis.linear("requests/s", top),
                series));
        return bestAt(rates, nodes, 0) + ", " + bestAt(rates, nodes, 2) + ", " + bestAt(rates, nodes, 5);
    }

    private static double rate(Allocation split, double dynamicShare, NodeCosts costs) {
        return Lab.rigid(Lab.setup(Lab.cluster(split, null, Lab.USUAL), costs, Lab.mix(REQUESTS, dynamicShare)), split)
                .perSecond();
    }

    private static Allocation bestAt(List<List<Double>> rates, int nodes, int column) {
        int best = 0;
        for (int split = 1; split < rates.size(); split++) {
            best = rates.get(split).get(column) > rates.get(best).get(column) ? split : best;
        }
        return Allocation.of(best + 1, nodes - best - 1);
    }
}
