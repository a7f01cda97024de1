package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.SiteOutcome;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.TwoSites;
import dev.retier.traces.shape.MergedTrace;
import java.util.List;
import java.util.function.Function;

/** E9 and E10: sites of different priority. */
final class Priorities {
    private static final double KEPT = 0.97;

    private Priorities() {}

    /** Both. */
    static List<Figure> all(Rules rules) {
        return List.of(new TwoLoads(rules), new Million(rules));
    }

    private static double kept(SiteOutcome site) {
        return 100 * site.keptShare();
    }

    private static Demand demand(int site, long length, int bursts, RequestClass first) {
        BurstPlan plan = BurstPlan.of(length, bursts, first);
        Trace trace = GeneratedTrace.alternating(plan, Lab.SINGLE, Lab.SEED + site);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
    }

    /** E9. */
    private record TwoLoads(Rules rules) implements Figure {
        private static final List<Integer> GUARANTEES = List.of(400, 450, 490, 500, 510, 520, 600, 640, 680, 735);
        private static final List<Integer> FEWER = List.of(400, 490, 520, 640);
        /** As in the source, four nodes of one tier carry 16/11 of what the better of two proxies and three apps do. */
        private static final NodeCosts COSTS = new NodeCosts(Lab.CAPACITY, 363, 363, 97, 499);

        private static final Allocation RIGID = new Allocation(List.of(2, 1), List.of(3, 1));
        private static final int[] LENGTHS = {65_536, 512};
        /** Long enough for the oracle's rates, whatever bursts. */
        private static final Load CALIBRATION = new Load("8192", 8192, 8192, 6);

        private static final Allocation REDUCED = new Allocation(List.of(2, 1), List.of(2, 1));

        @Override
        public String id() {
            return "E9";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E9: two sites, high and low priority (figures 6.2 and 6.3)");
            results.note("Both sites are asked as fast as they answer, in bursts of static and dynamic requests. Rigid:"
                    + " the high site over-provisioned on 2p+3a, the low one on 1p+1a."
                    + " Reduced: one node of seven fewer."
                    + " Dynamic requests of 499 us: the source's 16,000/s over 11,000/s.");
            Table table = table();
            for (int length : LENGTHS) {
                Load load = new Load(String.valueOf(length), length, length, Math.max(6, 131_072 / length));
                List<Level> levels = levels(load, GUARANTEES);
                levels.forEach(level -> level.addTo(table));
                judge(verdicts, levels);
            }
            List<SiteOutcome> best =
                    Lab.oracle(setup(RIGID, FEWER.getFirst(), CALIBRATION)).sites();
            for (double seconds : Lasting.SECONDS) {
                List<Level> levels = levels(Load.lasting(seconds, best), FEWER);
                levels.forEach(level -> level.addTo(table));
                judgeKept(verdicts, levels);
            }
            results.table("e9-two-sites", table);
            three(results, verdicts);
        }

        private List<Level> levels(Load load, List<Integer> guarantees) {
            return guarantees.stream().map(guarantee -> level(load, guarantee)).toList();
        }

        private Level level(Load load, int guarantee) {
            return new Level(
                    load,
                    guarantee,
                    Lab.rigid(setup(RIGID, guarantee, load), RIGID),
                    Lab.reconfigured(setup(RIGID, guarantee, load)),
                    Lab.reconfigured(setup(REDUCED, guarantee, load)).named("reconfigured, reduced"),
                    Lab.oracle(setup(RIGID, guarantee, load)));
        }

        private static Table table() {
            return new Table(
                    "burst",
                    "burst_seconds",
                    "guarantee_per_second",
                    "approach",
                    "nodes",
                    "high_kept_percent",
                    "high_per_second",
                    "low_per_second",
                    "moves");
        }

        /** Bursts of the requests of each site; at the oracle's rates, or as many for both. */
        private record Load(String name, long high, long low, int bursts) {
            /** So that a burst of each site lasts as long at the rate that {@code best} has for it. */
            static Load lasting(double seconds, List<SiteOutcome> best) {
                return new Load(
                        Lasting.text(seconds),
                        requests(seconds, best.getFirst()),
                        requests(seconds, best.getLast()),
                        Lasting.count(seconds));
            }

            private static long requests(double seconds, SiteOutcome site) {
                return Math.max(1, Math.round(seconds * site.ledger().perSecond()));
            }
        }

        /** What each approach made of one guarantee. */
        private record Level(Load load, int guarantee, Outcome rigid, Outcome ours, Outcome reduced, Outcome oracle) {
            void addTo(Table table) {
                double seconds = load.high / oracle.sites().getFirst().ledger().perSecond();
                for (Outcome outcome : List.of(rigid, ours, reduced, oracle)) {
                    table.row(
                            load.high,
                            seconds,
                            guarantee,
                            outcome.name(),
                            outcome.nodes(),
                            keptHigh(outcome),
                            outcome.sites().getFirst().ledger().perSecond(),
                            low(outcome),
                            outcome.moves().size());
                }
            }
        }

        private static double keptHigh(Outcome outcome) {
            return kept(outcome.sites().getFirst());
        }

        private static double low(Outcome outcome) {
            return outcome.sites().getLast().ledger().perSecond();
        }

        private static boolean isKept(Outcome outcome) {
            return keptHigh(outcome) >= 100 * KEPT;
        }

        private static int best(List<Level> levels, Function<Level, Outcome> of) {
            return levels.stream()
                    .filter(level -> isKept(of.apply(level)))
                    .mapToInt(Level::guarantee)
                    .max()
                    .orElse(0);
        }

        /** What is promised, kept. */
        private void judgeKept(Verdicts verdicts, List<Level> levels) {
            String at = ", bursts of " + levels.getFirst().load.name;
            double rigidBest = best(levels, Level::rigid);
            double least = levels.stream()
                    .filter(level -> level.guarantee <= 0.95 * rigidBest)
                    .mapToDouble(level -> keptHigh(level.ours) / keptHigh(level.rigid))
                    .min()
                    .orElse(1);
            verdicts.judge(
                    id(),
                    "0.99 of what rigid keeps, up to 0.95 of what rigid carries" + at,
                    "-",
                    String.format(ROOT, "%.3f at least", least),
                    least >= 0.99);
            double kept = levels.stream()
                    .filter(level -> isKept(level.oracle))
                    .mapToDouble(level -> keptHigh(level.ours))
                    .min()
                    .orElse(100);
            verdicts.judge(
                    id(),
                    "high guarantee kept 97 % wherever the oracle can" + at,
                    "100 %",
                    String.format(ROOT, "%.1f %% at least", kept),
                    kept >= 100 * KEPT);
        }

        private void judge(Verdicts verdicts, List<Level> levels) {
            judgeKept(verdicts, levels);
            String at = ", bursts of " + levels.getFirst().load.name;
            int rigid = best(levels, Level::rigid);
            int ours = best(levels, Level::ours);
            int reduced = best(levels, Level::reduced);
            int oracle = best(levels, Level::oracle);
            verdicts.judge(
                    id(),
                    "1.4x the guarantee that rigid keeps" + at,
                    "1.4x",
                    String.format(ROOT, "%d/s against %d/s, and %d/s by the oracle", ours, rigid, oracle),
                    ours >= 1.4 * rigid && ours > 0);
            verdicts.judge(
                    id(),
                    "the guarantee that rigid keeps with 14 % fewer nodes" + at,
                    "the same",
                    String.format(ROOT, "%d/s against %d/s", reduced, rigid),
                    reduced >= rigid && reduced > 0);
            verdicts.judge(
                    id(),
                    "0.97 of the guarantee that rigid keeps" + at,
                    "-",
                    String.format(ROOT, "%d/s against %d/s", ours, rigid),
                    ours >= 0.97 * rigid);
            double low = levels.stream()
                    .filter(level -> isKept(level.oracle))
                    .mapToDouble(level -> low(level.ours) / low(level.oracle))
                    .min()
                    .orElse(1);
            verdicts.judge(
                    id(),
                    "low site 0.9 of the oracle's" + at,
                    "up",
                    String.format(ROOT, "%.2f at least", low),
                    low >= 0.9);
        }

        private Setup setup(Allocation first, double guarantee, Load load) {
            int nodes = first.nodes();
            List<SiteConfig> sites = List.of(Lab.site(1, guarantee, nodes), Lab.site(2, null, nodes));
            return Lab.setup(
                    Lab.cluster(sites, first, rules),
                    COSTS,
                    demand(0, load.high, load.bursts, RequestClass.STATIC),
                    demand(1, load.low, load.bursts, RequestClass.DYNAMIC));
        }

        private void three(Results results, Verdicts verdicts) {
            Allocation first = new Allocation(List.of(2, 2, 1), List.of(3, 2, 1));
            List<SiteConfig> sites = List.of(Lab.site(1, 500.0, 11), Lab.site(2, 250.0, 11), Lab.site(3, null, 11));
            ClusterConfig config = Lab.cluster(sites, first, rules);
            Setup setup = Lab.setup(
                    config,
                    Lab.BALANCED,
                    demand(0, 32_768, 6, RequestClass.STATIC),
                    demand(1, 16_384, 6, RequestClass.DYNAMIC),
                    demand(2, 16_384, 6, RequestClass.STATIC));
            Table table =
                    new Table("approach", "site", "guarantee_per_second", "kept_percent", "throughput_per_second");
            List<Outcome> shown = List.of(Lab.rigid(setup, first), Lab.reconfigured(setup), Lab.oracle(setup));
            for (Outcome outcome : shown) {
                outcome.sites()
                        .forEach(site -> table.row(
                                outcome.name(),
                                site.site(),
                                String.valueOf(site.guaranteePerSecond()),
                                kept(site),
                                site.ledger().perSecond()));
            }
            results.note("Three priorities on eleven nodes: 500/s and 250/s promised, the third site gets the rest.");
            results.table("e9-three-sites", table);
            results.plot(RunCharts.sizes("E9: three sites, nodes of each tier", shown.get(1), shown, config));
            double ours = Math.min(
                    shown.get(1).sites().get(0).keptShare(),
                    shown.get(1).sites().get(1).keptShare());
            double rigid = Math.min(
                    shown.get(0).sites().get(0).keptShare(),
                    shown.get(0).sites().get(1).keptShare());
            verdicts.judge(
                    id(),
                    "three priorities: both guarantees kept 97 %",
                    "-",
                    String.format(ROOT, "%.1f %% (rigid %.1f %%)", 100 * ours, 100 * rigid),
                    ours >= KEPT);
        }
    }

    /** E10. */
    private record Million(Rules rules) implements Figure {
        private static final int REQUESTS_PER_BURST = 65_536;
        private static final int BURSTS = 16;
        private static final BurstPlan SOURCE = BurstPlan.of(REQUESTS_PER_BURST, BURSTS, RequestClass.STATIC);
        private static final BurstPlan CALIBRATION = BurstPlan.of(4096, 4, RequestClass.STATIC);
        private static final Allocation RIGID = new Allocation(List.of(2, 1), List.of(3, 1));

        @Override
        public String id() {
            return "E10";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E10: a million requests, bursts of high and low priority in turn (figure 6.4)");
            results.note("Half of the requests of each burst are dynamic; one group of clients sends them all.");
            Table table = new Table(
                    "dynamic_cost_us", "burst", "burst_seconds", "approach", "seconds", "over_rigid", "moves");
            for (NodeCosts costs : List.of(Lab.HTTPD, Lab.BALANCED)) {
                String at = ", dynamic requests of " + Math.round(costs.dynamic()) + " us";
                Setup setup = setup(costs, SOURCE);
                List<Outcome> shown = run(table, setup, costs, SOURCE);
                results.plot(RunCharts.throughput("E10: throughput of the low site" + at, shown, 1));
                results.plot(RunCharts.sizes("E10: nodes of each tier" + at, shown.get(1), shown, setup.config()));
                judge(verdicts, shown, at);
                double best = Lab.oracle(setup(costs, CALIBRATION)).perSecond();
                for (double seconds : Lasting.SECONDS) {
                    BurstPlan plan = BurstPlan.of(
                            Math.max(1, Math.round(seconds * best)), Lasting.count(seconds), RequestClass.STATIC);
                    List<Outcome> lasting = run(table, setup(costs, plan), costs, plan);
                    judgeNotLess(verdicts, lasting, at + ", bursts of " + Lasting.text(seconds));
                }
            }
            results.table("e10-million", table);
        }

        private Setup setup(NodeCosts costs, BurstPlan plan) {
            List<SiteConfig> sites = List.of(Lab.site(1, null, 7), Lab.site(2, null, 7));
            Trace both = new MergedTrace(TwoSites.bursts(plan, 0.5, Lab.SINGLE, Lab.SEED));
            Demand demand =
                    new Demand(Workload.read(both, new int[] {0, 1}, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
            return Lab.setup(Lab.cluster(sites, RIGID, rules), costs, demand);
        }

        /** Rigid, reconfigured, and the oracle. */
        private static List<Outcome> run(Table table, Setup setup, NodeCosts costs, BurstPlan plan) {
            List<Outcome> shown = List.of(Lab.rigid(setup, RIGID), Lab.reconfigured(setup), Lab.oracle(setup));
            double rigid = shown.getFirst().seconds();
            shown.forEach(outcome -> table.row(
                    Math.round(costs.dynamic()),
                    plan.requestsPerBurst(),
                    shown.getLast().seconds() * plan.requestsPerBurst() / plan.requests(),
                    outcome.name(),
                    outcome.seconds(),
                    outcome.seconds() / rigid,
                    outcome.moves().size()));
            return shown;
        }

        private void judge(Verdicts verdicts, List<Outcome> shown, String at) {
            double rigid = shown.getFirst().seconds();
            double share = shown.get(1).seconds() / rigid;
            verdicts.judge(
                    id(),
                    "0.5 of rigid's time or less" + at,
                    "about 100 s against about 200 s",
                    String.format(
                            ROOT, "%.2f (oracle %.2f)", share, shown.getLast().seconds() / rigid),
                    share <= 0.5);
        }

        private void judgeNotLess(Verdicts verdicts, List<Outcome> shown, String at) {
            double rigid = shown.getFirst().seconds();
            double share = rigid / shown.get(1).seconds();
            verdicts.judge(
                    id(),
                    "0.97 of rigid's throughput or more" + at,
                    "-",
                    String.format(
                            ROOT,
                            "%.2f (oracle %.2f)",
                            share,
                            rigid / shown.getLast().seconds()),
                    share >= 0.97);
        }
    }
}
