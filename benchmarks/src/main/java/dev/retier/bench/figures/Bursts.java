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
import dev.retier.sim.model.Split;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.GeneratedTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** E2, E3 and E4: alternating bursts, of one file and of Zipf's many. */
final class Bursts {
    /** The best that never changes, for equal bursts with dynamic requests of 1570 us as for an even mix (E1). */
    private static final Allocation RIGID = Allocation.of(2, 5);

    /** What the source says that it ran in its snapshot. */
    private static final Allocation SOURCE_RIGID = Allocation.of(1, 6);

    private static final int[] LENGTHS = {512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536};
    private static final int LEAST_REQUESTS = 131_072;
    private static final List<Double> DYNAMIC = List.of(545.0, 1570.0, 3000.0);

    private Bursts() {}

    /** All of them. */
    static List<Figure> all(Rules rules) {
        return List.of(
                new Snapshot(rules),
                new Lengths("E3", "single file (figure 5.8)", Lab.CAPACITY, DYNAMIC, Bursts::single, rules),
                new Lengths(
                        "E3-whole",
                        "nodes of a whole core, as fast as the source's",
                        10 * Lab.CAPACITY,
                        List.of(1570.0),
                        length -> Lab.bursts(length, 4 * bursts(length)),
                        rules),
                new Starts(rules),
                new Staying("E3-stay", "single file", Bursts::single, rules),
                new Lengths(
                        "E4", "Zipf, 2000 objects per class (figure 5.10)", Lab.CAPACITY, DYNAMIC, Bursts::zipf, rules),
                new Staying("E4-stay", "Zipf, 2000 objects per class", Bursts::zipf, rules));
    }

    private static Demand single(int length) {
        return Lab.bursts(length, bursts(length));
    }

    private static Demand zipf(int length) {
        BurstPlan plan = BurstPlan.of(length, bursts(length), RequestClass.STATIC);
        return Lab.closed(GeneratedTrace.alternating(plan, Lab.ZIPF, Lab.SEED));
    }

    private static int bursts(int length) {
        return Math.max(4, LEAST_REQUESTS / length);
    }

    private static Setup setup(Rules rules, Allocation first, NodeCosts costs, Demand demand) {
        return Lab.setup(Lab.cluster(first, null, rules), costs, demand);
    }

    /** E2. */
    private record Snapshot(Rules rules) implements Figure {
        @Override
        public String id() {
            return "E2";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E2: a snapshot of alternating bursts (figures 5.7 and 5.9)");
            Setup setup = setup(rules, RIGID, Lab.HTTPD, Lab.bursts(65_536, 4));
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
            results.plot(RunCharts.throughput("E2: bursts of 65536", shown, 0));
            results.plot(RunCharts.sizes("E2: nodes of each tier", reconfigured, shown, setup.config()));
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
    private record Lengths(
            String id, String what, double capacity, List<Double> costs, Function<Integer, Demand> load, Rules rules)
            implements Figure {
        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading(id + ": burst length, " + what);
            results.note("Rigid: the split that answers equal bursts soonest when it is never changed, from which the"
                    + " others begin; 1p+6a is what the source says it ran. A burst lasts as long as the oracle"
                    + " takes for it.");
            Table table = new Table(
                    "dynamic_cost_us",
                    "burst",
                    "burst_seconds",
                    "rigid",
                    "rigid_per_second",
                    "rigid_1p6a_per_second",
                    "ours_per_second",
                    "oracle_per_second",
                    "ours_over_rigid",
                    "moves");
            List<Row> rows = new ArrayList<>();
            for (double cost : costs) {
                for (int length : LENGTHS) {
                    Row row = Row.of(rules, new NodeCosts(capacity, 363, 363, 97, cost), length, load.apply(length));
                    rows.add(row);
                    row.addTo(table);
                }
            }
            results.table(id.toLowerCase(ROOT) + "-lengths", table);
            results.plot(plot(
                    rows.stream().filter(row -> row.costs.dynamic() == 1570).toList()));
            judge(rows, verdicts);
        }

        private void judge(List<Row> rows, Verdicts verdicts) {
            double least = rows.stream().mapToDouble(Row::ratio).min().orElse(0);
            verdicts.judge(
                    id,
                    "never below 0.97 of rigid",
                    "equal at 512",
                    String.format(ROOT, "%.3f at least", least),
                    least >= 0.97);
            List<Row> longest =
                    rows.stream().filter(row -> row.length == 65_536).toList();
            double gain = longest.stream().mapToDouble(Row::ratio).max().orElse(0);
            double possible =
                    longest.stream().mapToDouble(Row::oracleRatio).max().orElse(0);
            double source = longest.stream()
                    .mapToDouble(row -> row.ours.perSecond() / row.source.perSecond())
                    .max()
                    .orElse(0);
            verdicts.judge(
                    id,
                    "1.8x or more at 64 K over the best rigid split",
                    "-",
                    String.format(ROOT, "%.2fx, where the oracle gets %.2fx", gain, possible),
                    gain >= 1.8);
            if (!isOfWholeCores()) {
                verdicts.judge(
                        id,
                        "1.8x or more at 64 K over the split that the source ran",
                        "about 1.8x",
                        String.format(ROOT, "%.2fx", source),
                        source >= 1.8);
            }
            judgeOracle(longest, verdicts);
        }

        /** The source's own split is judged once, on the small nodes. */
        private boolean isOfWholeCores() {
            return capacity > Lab.CAPACITY;
        }

        private void judgeOracle(List<Row> longest, Verdicts verdicts) {
            double share = longest.stream()
                    .mapToDouble(row -> row.ours.perSecond() / row.oracle.perSecond())
                    .min()
                    .orElse(0);
            verdicts.judge(id, "0.9 of oracle or more at 64 K", "-", String.format(ROOT, "%.3f", share), share >= 0.9);
        }

        private Plot plot(List<Row> rows) {
            List<Series> series = List.of(
                    line("best rigid", "a", rows, row -> row.rigid),
                    line("rigid 1p+6a", "a dashed", rows, row -> row.source),
                    line("reconfigured", "b", rows, row -> row.ours),
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

    /** E3 once more, from splits that are not the best. */
    private record Starts(Rules rules) implements Figure {
        private static final int LENGTH = 512;

        @Override
        public String id() {
            return "E3-starts";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E3-starts: bursts shorter than T, from any split");
            results.note(
                    "Bursts of " + LENGTH + ". What is never changed keeps the split that it begins with; reconfigured,"
                            + " the tiers learn from the rhythm of the bursts who lacks a node. Ratios to the best"
                            + " rigid split.");
            Table table = new Table("dynamic_cost_us", "start", "rigid", "ours", "moves");
            double least = Double.MAX_VALUE;
            for (double cost : List.of(545.0, 1570.0)) {
                NodeCosts costs = new NodeCosts(Lab.CAPACITY, 363, 363, 97, cost);
                List<Outcome> rigid = new ArrayList<>();
                for (int proxies = 1; proxies < RIGID.nodes(); proxies++) {
                    Allocation start = Allocation.of(proxies, RIGID.nodes() - proxies);
                    rigid.add(Lab.rigid(setup(rules, start, costs, single(LENGTH)), start));
                }
                double best =
                        rigid.stream().mapToDouble(Outcome::perSecond).max().orElseThrow();
                for (Outcome start : rigid) {
                    Allocation first =
                            Allocation.of(1 + rigid.indexOf(start), RIGID.nodes() - 1 - rigid.indexOf(start));
                    Outcome ours = Lab.reconfigured(setup(rules, first, costs, single(LENGTH)));
                    least = Math.min(least, ours.perSecond() / best);
                    table.row(
                            Math.round(cost),
                            start.name(),
                            start.perSecond() / best,
                            ours.perSecond() / best,
                            ours.moves().size());
                }
            }
            results.table("e3-starts", table);
            verdicts.judge(
                    id(),
                    "0.97 of the best rigid split from every split, bursts of " + LENGTH,
                    "-",
                    String.format(ROOT, "%.3f at least", least),
                    least >= 0.97);
        }
    }

    private record Row(NodeCosts costs, int length, Outcome rigid, Outcome source, Outcome ours, Outcome oracle) {
        static Row of(Rules rules, NodeCosts costs, int length, Demand demand) {
            List<Split.Stretch> kinds = List.of(new Split.Stretch(1, 0), new Split.Stretch(1, 1));
            Split best = Split.bestRigid(RIGID.nodes(), costs, kinds);
            Allocation first = Allocation.of(best.proxies(), best.apps());
            Setup setup = setup(rules, first, costs, demand);
            return new Row(
                    costs,
                    length,
                    Lab.rigid(setup, first),
                    Lab.rigid(setup, SOURCE_RIGID),
                    Lab.reconfigured(setup),
                    Lab.oracle(setup));
        }

        double ratio() {
            return ours.perSecond() / rigid.perSecond();
        }

        double oracleRatio() {
            return oracle.perSecond() / rigid.perSecond();
        }

        void addTo(Table table) {
            table.row(
                    Math.round(costs.dynamic()),
                    length,
                    length / oracle.perSecond(),
                    rigid.name(),
                    rigid.perSecond(),
                    source.perSecond(),
                    ours.perSecond(),
                    oracle.perSecond(),
                    ratio(),
                    ours.moves().size());
        }
    }
}
