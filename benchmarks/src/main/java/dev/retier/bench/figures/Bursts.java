package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.load.trace.BodySizes;
import dev.retier.load.trace.BurstPlan;
import dev.retier.load.trace.Catalogue;
import dev.retier.load.trace.GeneratedTrace;
import dev.retier.load.trace.RequestClass;
import dev.retier.report.Axis;
import dev.retier.report.Chart.Point;
import dev.retier.report.Chart.Series;
import dev.retier.report.Chart.Shape;
import dev.retier.report.Plot;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** E2, E3 and E4: alternating bursts, of one file and of Zipf's many. */
final class Bursts {
    /** The best split for an even mix (E1), which the source took for its rigid data-center. */
    private static final Allocation RIGID = Allocation.of(2, 5);

    /** What the source says that this was in its snapshot. */
    private static final Allocation SOURCE_RIGID = Allocation.of(1, 6);

    private static final int[] LENGTHS = {512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536};
    private static final int LEAST_REQUESTS = 131_072;
    private static final Catalogue ZIPF =
            new Catalogue(2000, 0.9, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));

    private Bursts() {}

    /** All of them. */
    static List<Figure> all() {
        return List.of(
                new Snapshot(),
                new Lengths("E3", "single file", Bursts::single),
                new Lengths("E4", "Zipf, 2000 objects per class", Bursts::zipf));
    }

    private static Demand single(int length) {
        return Lab.bursts(length, bursts(length));
    }

    private static Demand zipf(int length) {
        BurstPlan plan = new BurstPlan(length, bursts(length), RequestClass.STATIC);
        return Lab.closed(GeneratedTrace.alternating(plan, ZIPF, Lab.SEED));
    }

    private static int bursts(int length) {
        return Math.max(4, LEAST_REQUESTS / length);
    }

    private static Setup setup(NodeCosts costs, Rules rules, Demand demand) {
        return Lab.setup(Lab.cluster(RIGID, null, rules), costs, demand);
    }

    /** E2. */
    private static final class Snapshot implements Figure {
        @Override
        public String id() {
            return "E2";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E2: a snapshot of alternating bursts (figures 5.7 and 5.9)");
            Setup setup = setup(Lab.HTTPD, Lab.USUAL, Lab.bursts(65_536, 4));
            Outcome source = Lab.rigid(setup, SOURCE_RIGID);
            Outcome rigid = Lab.rigid(setup, RIGID);
            Outcome reconfigured = Lab.reconfigured(setup);
            Outcome oracle = Lab.oracle(setup);
            Table table = new Table("approach", "static_per_second", "dynamic_per_second", "moves");
            List<Outcome> shown = List.of(rigid, source, reconfigured, oracle);
            shown.forEach(outcome -> table.row(
                    outcome.name(),
                    outcome.perSecond(false),
                    outcome.perSecond(true),
                    outcome.moves().size()));
            results.table("e2-snapshot", table);
            results.chart(RunCharts.throughput("E2: bursts of 65536", shown, 0));
            results.chart(RunCharts.sizes("E2: nodes of each tier", reconfigured, setup.config()));
            double ofStatic = reconfigured.perSecond(false) / rigid.perSecond(false);
            double ofDynamic = reconfigured.perSecond(true) / rigid.perSecond(true);
            verdicts.judge(
                    id(),
                    "static bursts +150 % or more over rigid",
                    "up to +150 %",
                    percent(ofStatic) + " over 2p+5a",
                    ofStatic >= 2.5);
            verdicts.judge(
                    id(),
                    "dynamic bursts +20 % or more over rigid",
                    "+20 %",
                    percent(ofDynamic) + " over 2p+5a (oracle "
                            + percent(oracle.perSecond(true) / rigid.perSecond(true)) + ")",
                    ofDynamic >= 1.2);
        }

        private static String percent(double ratio) {
            return String.format(ROOT, "%+.1f %%", 100 * (ratio - 1));
        }
    }

    /** E3 and E4. */
    private record Lengths(String id, String what, Function<Integer, Demand> load) implements Figure {
        private static final double[] DYNAMIC = {545, 1570, 3000};

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading(id + ": burst length, " + what + (id.equals("E3") ? " (figure 5.8)" : " (figure 5.10)"));
            results.note("Rigid: 2p+5a, the best for the even mix; 1p+6a is what the source says it ran. Usual: every"
                    + " default of the cluster file; quick: the demo's S of 50 ms and T of 200 ms.");
            Table table = new Table(
                    "dynamic_cost_us",
                    "burst",
                    "rigid_2p5a_per_second",
                    "rigid_1p6a_per_second",
                    "usual_per_second",
                    "quick_per_second",
                    "oracle_per_second",
                    "usual_over_rigid",
                    "quick_over_rigid",
                    "moves_usual",
                    "moves_quick");
            List<Row> rows = new ArrayList<>();
            for (double cost : DYNAMIC) {
                for (int length : LENGTHS) {
                    Row row = Row.of(cost, length, load.apply(length));
                    rows.add(row);
                    row.addTo(table);
                }
            }
            results.table(id.toLowerCase(ROOT) + "-lengths", table);
            results.plot(plot(rows.stream().filter(row -> row.cost == 1570).toList()));
            judge(rows, verdicts);
        }

        private void judge(List<Row> rows, Verdicts verdicts) {
            double least = rows.stream()
                    .mapToDouble(row -> Math.min(row.usualRatio(), row.quickRatio()))
                    .min()
                    .orElse(0);
            verdicts.judge(
                    id,
                    "never below 0.97 of rigid",
                    "equal at 512",
                    String.format(ROOT, "%.3f at least", least),
                    least >= 0.97);
            List<Row> longest =
                    rows.stream().filter(row -> row.length == 65_536).toList();
            double gain = longest.stream().mapToDouble(Row::usualRatio).max().orElse(0);
            double possible =
                    longest.stream().mapToDouble(Row::oracleRatio).max().orElse(0);
            double source = longest.stream()
                    .mapToDouble(row -> row.usual.perSecond() / row.source.perSecond())
                    .max()
                    .orElse(0);
            verdicts.judge(
                    id,
                    "1.8x or more at 64 K",
                    "about 1.8x",
                    String.format(
                            ROOT,
                            "%.2fx over 2p+5a, where the oracle gets %.2fx; %.2fx over 1p+6a",
                            gain,
                            possible,
                            source),
                    Math.max(gain, source) >= 1.8);
            double share = longest.stream()
                    .mapToDouble(row -> row.usual.perSecond() / row.oracle.perSecond())
                    .min()
                    .orElse(0);
            verdicts.judge(id, "0.9 of oracle or more at 64 K", "-", String.format(ROOT, "%.3f", share), share >= 0.9);
        }

        private Plot plot(List<Row> rows) {
            List<Series> series = List.of(
                    line("rigid 2p+5a", "a", rows, row -> row.rigid),
                    line("rigid 1p+6a", "a dashed", rows, row -> row.source),
                    line("reconfigured, usual", "b", rows, row -> row.usual),
                    line("reconfigured, quick", "c", rows, row -> row.quick),
                    line("oracle", "f dashed", rows, row -> row.oracle));
            double top = rows.stream()
                    .mapToDouble(row -> row.oracle.perSecond())
                    .max()
                    .orElse(1);
            return Plot.of(
                    id + ": throughput by burst length, dynamic requests of 1570 us",
                    Axis.log("requests per burst", LENGTHS[0], LENGTHS[LENGTHS.length - 1]),
                    Axis.linear("requests/s", 1.2 * top),
                    series);
        }

        private static Series line(String name, String style, List<Row> rows, Function<Row, Outcome> of) {
            return new Series(
                    name,
                    style,
                    Shape.LINE,
                    rows.stream()
                            .map(row -> new Point(row.length, of.apply(row).perSecond()))
                            .toList());
        }
    }

    private record Row(
            double cost, int length, Outcome rigid, Outcome source, Outcome usual, Outcome quick, Outcome oracle) {
        static Row of(double cost, int length, Demand demand) {
            NodeCosts costs = new NodeCosts(Lab.CAPACITY, 363, 363, 97, cost);
            Setup setup = setup(costs, Lab.USUAL, demand);
            return new Row(
                    cost,
                    length,
                    Lab.rigid(setup, RIGID),
                    Lab.rigid(setup, SOURCE_RIGID),
                    Lab.reconfigured(setup),
                    Lab.reconfigured(setup(costs, Lab.QUICK, demand)),
                    Lab.oracle(setup));
        }

        double usualRatio() {
            return usual.perSecond() / rigid.perSecond();
        }

        double quickRatio() {
            return quick.perSecond() / rigid.perSecond();
        }

        double oracleRatio() {
            return oracle.perSecond() / rigid.perSecond();
        }

        void addTo(Table table) {
            table.row(
                    Math.round(cost),
                    length,
                    rigid.perSecond(),
                    source.perSecond(),
                    usual.perSecond(),
                    quick.perSecond(),
                    oracle.perSecond(),
                    usualRatio(),
                    quickRatio(),
                    usual.moves().size(),
                    quick.moves().size());
        }
    }
}
