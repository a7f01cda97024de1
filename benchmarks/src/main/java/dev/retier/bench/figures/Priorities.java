package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.SiteOutcome;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.TwoSites;
import dev.retier.traces.shape.MergedTrace;
import java.util.ArrayList;
import java.util.List;

/** E9 and E10: sites of different priority. */
final class Priorities {
    private static final Catalogue SINGLE = new Catalogue(1, 0, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));
    private static final double KEPT = 0.97;

    private Priorities() {}

    /** Both. */
    static List<Figure> all() {
        return List.of(new TwoLoads(), new Million());
    }

    private static double kept(SiteOutcome site) {
        return 100 * site.keptShare();
    }

    private static Demand demand(int site, int length, int bursts, RequestClass first) {
        BurstPlan plan = BurstPlan.of(length, bursts, first);
        Trace trace = GeneratedTrace.alternating(plan, SINGLE, Lab.SEED + site);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
    }

    /** E9. */
    private static final class TwoLoads implements Figure {
        private static final int[] GUARANTEES = {400, 450, 490, 500, 510, 520, 600, 640, 680, 735};
        /** As in the source, four nodes of one tier carry 16/11 of what the better of two proxies and three apps do. */
        private static final NodeCosts COSTS = new NodeCosts(Lab.CAPACITY, 363, 363, 97, 499);

        private static final Allocation RIGID = new Allocation(List.of(2, 1), List.of(3, 1));
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
            for (int length : new int[] {65_536, 512}) {
                double rigidBest = 0;
                double ourBest = 0;
                double reducedBest = 0;
                double oracleBest = 0;
                double lowShare = Double.MAX_VALUE;
                double leastKept = 100;
                List<double[]> kept = new ArrayList<>();
                for (int guarantee : GUARANTEES) {
                    Outcome rigid = Lab.rigid(setup(RIGID, guarantee, length), RIGID);
                    Outcome ours = Lab.reconfigured(setup(RIGID, guarantee, length));
                    Outcome reduced =
                            Lab.reconfigured(setup(REDUCED, guarantee, length)).named("reconfigured, reduced");
                    Outcome oracle = Lab.oracle(setup(RIGID, guarantee, length));
                    List.of(rigid, ours, reduced, oracle).forEach(outcome -> row(table, length, guarantee, outcome));
                    kept.add(new double[] {
                        guarantee,
                        kept(rigid.sites().getFirst()),
                        kept(ours.sites().getFirst())
                    });
                    rigidBest = isKept(rigid) ? guarantee : rigidBest;
                    ourBest = isKept(ours) ? guarantee : ourBest;
                    reducedBest = isKept(reduced) ? guarantee : reducedBest;
                    oracleBest = isKept(oracle) ? guarantee : oracleBest;
                    if (isKept(oracle)) {
                        leastKept = Math.min(leastKept, kept(ours.sites().getFirst()));
                        lowShare = Math.min(lowShare, low(ours) / low(oracle));
                    }
                }
                judgeAgainstRigid(verdicts, length, rigidBest, kept);
                judge(verdicts, length, new double[] {rigidBest, ourBest, reducedBest, leastKept, lowShare, oracleBest
                });
            }
            results.table("e9-two-sites", table);
            three(results, verdicts);
        }

        /** Each of {@code kept} is a guarantee, what rigid roles keep of it and what ours do. */
        private void judgeAgainstRigid(Verdicts verdicts, int length, double rigidBest, List<double[]> kept) {
            double least = kept.stream()
                    .filter(level -> level[0] <= 0.95 * rigidBest)
                    .mapToDouble(level -> level[2] / level[1])
                    .min()
                    .orElse(0);
            verdicts.judge(
                    id(),
                    "0.99 of what rigid keeps, up to 0.95 of what rigid carries, bursts of " + length,
                    "-",
                    String.format(ROOT, "%.3f at least", least),
                    least >= 0.99);
        }

        private static Table table() {
            return new Table(
                    "burst",
                    "guarantee_per_second",
                    "approach",
                    "nodes",
                    "high_kept_percent",
                    "high_per_second",
                    "low_per_second",
                    "moves");
        }

        private static void row(Table table, int length, int guarantee, Outcome outcome) {
            table.row(
                    length,
                    guarantee,
                    outcome.name(),
                    outcome.nodes(),
                    kept(outcome.sites().getFirst()),
                    outcome.sites().getFirst().ledger().perSecond(),
                    low(outcome),
                    outcome.moves().size());
        }

        private static double low(Outcome outcome) {
            return outcome.sites().getLast().ledger().perSecond();
        }

        private static boolean isKept(Outcome outcome) {
            return outcome.sites().getFirst().keptShare() >= KEPT;
        }

        private void judge(Verdicts verdicts, int length, double[] seen) {
            String at = ", bursts of " + length;
            verdicts.judge(
                    id(),
                    "1.4x the guarantee that rigid keeps" + at,
                    "1.4x",
                    String.format(ROOT, "%.0f/s against %.0f/s, and %.0f/s by the oracle", seen[1], seen[0], seen[5]),
                    seen[1] >= 1.4 * seen[0] && seen[1] > 0);
            verdicts.judge(
                    id(),
                    "the guarantee that rigid keeps with 14 % fewer nodes" + at,
                    "the same",
                    String.format(ROOT, "%.0f/s against %.0f/s", seen[2], seen[0]),
                    seen[2] >= seen[0] && seen[2] > 0);
            verdicts.judge(
                    id(),
                    "0.97 of the guarantee that rigid keeps" + at,
                    "-",
                    String.format(ROOT, "%.0f/s against %.0f/s", seen[1], seen[0]),
                    seen[1] >= 0.97 * seen[0]);
            verdicts.judge(
                    id(),
                    "high guarantee kept 97 % wherever the oracle can" + at,
                    "100 %",
                    String.format(ROOT, "%.1f %% at least", seen[3]),
                    seen[3] >= 100 * KEPT);
            verdicts.judge(
                    id(),
                    "low site 0.9 of the oracle's" + at,
                    "up",
                    String.format(ROOT, "%.2f at least", seen[4]),
                    seen[4] >= 0.9);
        }

        private static Setup setup(Allocation first, double guarantee, int length) {
            int nodes = first.nodes();
            List<SiteConfig> sites = List.of(Lab.site(1, guarantee, nodes), Lab.site(2, null, nodes));
            ClusterConfig config = Lab.cluster(sites, first, Lab.USUAL);
            int bursts = Math.max(6, 131_072 / length);
            return Lab.setup(
                    config,
                    COSTS,
                    demand(0, length, bursts, RequestClass.STATIC),
                    demand(1, length, bursts, RequestClass.DYNAMIC));
        }

        private void three(Results results, Verdicts verdicts) {
            Allocation first = new Allocation(List.of(2, 2, 1), List.of(3, 2, 1));
            List<SiteConfig> sites = List.of(Lab.site(1, 500.0, 11), Lab.site(2, 250.0, 11), Lab.site(3, null, 11));
            ClusterConfig config = Lab.cluster(sites, first, Lab.USUAL);
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
    private static final class Million implements Figure {
        private static final int REQUESTS_PER_BURST = 65_536;
        private static final int BURSTS = 16;
        private static final Allocation RIGID = new Allocation(List.of(2, 1), List.of(3, 1));

        @Override
        public String id() {
            return "E10";
        }

        @Override
        public void run(Results results, Verdicts verdicts) {
            results.heading("E10: a million requests, bursts of high and low priority in turn (figure 6.4)");
            results.note("Half of the requests of each burst are dynamic; one group of clients sends them all.");
            List<SiteConfig> sites = List.of(Lab.site(1, null, 7), Lab.site(2, null, 7));
            Table table = new Table("dynamic_cost_us", "approach", "seconds", "over_rigid", "moves");
            for (NodeCosts costs : List.of(Lab.HTTPD, Lab.BALANCED)) {
                Setup setup = Lab.setup(Lab.cluster(sites, RIGID, Lab.USUAL), costs, load());
                Outcome rigid = Lab.rigid(setup, RIGID);
                Outcome ours = Lab.reconfigured(setup);
                Outcome oracle = Lab.oracle(setup);
                List<Outcome> shown = List.of(rigid, ours, oracle);
                shown.forEach(outcome -> table.row(
                        Math.round(costs.dynamic()),
                        outcome.name(),
                        outcome.seconds(),
                        outcome.seconds() / rigid.seconds(),
                        outcome.moves().size()));
                String at = ", dynamic requests of " + Math.round(costs.dynamic()) + " us";
                results.plot(RunCharts.throughput("E10: throughput of the low site" + at, shown, 1));
                results.plot(RunCharts.sizes("E10: nodes of each tier" + at, ours, shown, setup.config()));
                double share = ours.seconds() / rigid.seconds();
                verdicts.judge(
                        id(),
                        "0.5 of rigid's time or less" + at,
                        "about 100 s against about 200 s",
                        String.format(ROOT, "%.2f (oracle %.2f)", share, oracle.seconds() / rigid.seconds()),
                        share <= 0.5);
            }
            results.table("e10-million", table);
        }

        private static Demand load() {
            BurstPlan plan = BurstPlan.of(REQUESTS_PER_BURST, BURSTS, RequestClass.STATIC);
            Trace both = new MergedTrace(TwoSites.bursts(plan, 0.5, SINGLE, Lab.SEED));
            return new Demand(Workload.read(both, new int[] {0, 1}, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
        }
    }
}
