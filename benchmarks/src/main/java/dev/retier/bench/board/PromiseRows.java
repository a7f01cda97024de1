package dev.retier.bench.board;

import dev.retier.agent.config.SiteConfig;
import dev.retier.bench.board.Row.Figure;
import dev.retier.bench.figures.Lab;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.TwoSites;
import dev.retier.traces.made.UnevenBursts;
import dev.retier.traces.shape.MergedTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** E8, E9 and E10: promises and priorities. Stateless. */
final class PromiseRows {
    /** As in the source, four nodes of one tier carry 16/11 of what the better of two proxies and three apps do. */
    private static final NodeCosts SOURCE = Situations.costs(499);

    private static final Allocation TWO = new Allocation(List.of(2, 1), List.of(3, 1));
    private static final Figure LOW = new Figure("low site, requests/s", 3);

    /** Of a series of arrivals, in seconds. */
    private static final double PERIOD = 0.5;

    private PromiseRows() {}

    static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        rows.add(fewer(512, 60));
        rows.add(fewer(8192, 6));
        rows.add(fewer(65_536, 2));
        rows.add(two(512, 40, 450, "what fixed roles keep must not be lost in bursts shorter than T"));
        rows.add(two(512, 40, 520, "more is promised than fixed roles carry, in bursts shorter than T"));
        rows.add(two(8192, 4, 520, "more is promised than fixed roles carry"));
        rows.add(two(65_536, 1, 640, "most that is promised can be kept by following long bursts"));
        rows.add(three());
        rows.add(scarce());
        rows.add(giver());
        rows.add(returning("returns", 10, 10, "a promised site that lends nodes while it is quiet needs them again"));
        rows.add(returning(
                "peaks", 9.5, 0.5, "the same for half a second each time: the nodes must not be gone for long"));
        rows.add(plain());
        return rows;
    }

    private static Demand bursts(int site, int length, int count, RequestClass first, long seed) {
        List<Long> lengths = new ArrayList<>(Collections.nCopies(count, (long) length));
        lengths.addFirst(length / 8L); // the next one comes when the first has been answered for a while
        Trace trace = GeneratedTrace.uneven(new UnevenBursts(lengths, first), Lab.SINGLE, seed + site);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
    }

    private static Row fewer(int length, int count) {
        Allocation four = Allocation.of(2, 2);
        return Row.of(
                "E8 " + length,
                "500/s promised on four nodes, one fewer than fixed roles need",
                Figure.KEPT,
                seed -> Lab.reconfigured(Situations.setup(
                                Situations.cluster(List.of(Lab.site(1, 500.0, 4)), four, 0),
                                Lab.BALANCED,
                                seed,
                                bursts(0, length, count, RequestClass.STATIC, seed)))
                        .sites()
                        .getFirst()
                        .keptShare());
    }

    private static Row two(int length, int count, double guarantee, String why) {
        List<SiteConfig> sites = List.of(Lab.site(1, guarantee, 7), Lab.site(2, null, 7));
        return new Row("E9 " + length + " " + Math.round(guarantee) + "/s", why, List.of(Figure.KEPT, LOW), seed -> {
            Outcome outcome = Lab.reconfigured(Situations.setup(
                    Situations.cluster(sites, TWO, 0),
                    SOURCE,
                    seed,
                    bursts(0, length, count, RequestClass.STATIC, seed),
                    bursts(1, length, count, RequestClass.DYNAMIC, seed)));
            return new double[] {
                outcome.sites().getFirst().keptShare(),
                outcome.sites().getLast().ledger().perSecond()
            };
        });
    }

    private static Row three() {
        Allocation first = new Allocation(List.of(2, 2, 1), List.of(3, 2, 1));
        List<SiteConfig> sites = List.of(Lab.site(1, 500.0, 11), Lab.site(2, 250.0, 11), Lab.site(3, null, 11));
        return new Row(
                "three sites",
                "500/s and 250/s promised, the third gets the rest: promises by priority",
                List.of(Figure.KEPT, new Figure("second kept", 0.005), LOW),
                seed -> {
                    Outcome outcome = Lab.reconfigured(Situations.setup(
                            Situations.cluster(sites, first, 0),
                            Lab.BALANCED,
                            seed,
                            bursts(0, 4096, 3, RequestClass.STATIC, seed),
                            bursts(1, 2048, 3, RequestClass.DYNAMIC, seed),
                            bursts(2, 2048, 3, RequestClass.STATIC, seed)));
                    return new double[] {
                        outcome.sites().get(0).keptShare(),
                        outcome.sites().get(1).keptShare(),
                        outcome.sites().get(2).ledger().perSecond()
                    };
                });
    }

    /** A proxy carries 262 static requests/s. */
    private static Row scarce() {
        Allocation first = new Allocation(List.of(2, 3), List.of(1, 1));
        List<SiteConfig> sites = List.of(Lab.site(1, 700.0, 7), Lab.site(2, 700.0, 7));
        return Row.of(
                "scarce",
                "two promises for which there are too few nodes: the first is kept at the other's cost",
                Figure.KEPT,
                seed -> Lab.reconfigured(Situations.setup(
                                Situations.cluster(sites, first, 0),
                                Lab.HTTPD,
                                seed,
                                statics(0, seed),
                                statics(1, seed)))
                        .sites()
                        .getFirst()
                        .keptShare());
    }

    private static Demand statics(int site, long seed) {
        Trace trace = GeneratedTrace.mixed(16_384, 0, Lab.SINGLE, seed + site);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
    }

    /** 480/s of Poisson arrivals fill four of its five apps to 0.99. */
    private static Row giver() {
        return new Row(
                "giver",
                "a promised site that could just do with a node fewer, beside one that wants any number",
                List.of(Figure.KEPT, Figure.IN_TIME),
                seed -> {
                    Demand promised = Situations.open(new Arrivals.Poisson(480), 0, 12_000, 0.5, seed);
                    Outcome outcome = besideAnyNumber(500, promised, 4_000, seed);
                    return new double[] {outcome.sites().getFirst().keptShare(), Situations.inTime(outcome, 0)};
                });
    }

    /** 430/s fill its five apps to 0.71. */
    private static Row returning(String name, double quietSeconds, double busySeconds, String why) {
        List<Long> counts = new ArrayList<>();
        for (int turn = 0; turn < 4; turn++) {
            counts.addAll(Collections.nCopies((int) (quietSeconds / PERIOD), (long) (20 * PERIOD)));
            counts.addAll(Collections.nCopies((int) (busySeconds / PERIOD), (long) (430 * PERIOD)));
        }
        long requests = counts.stream().mapToLong(Long::longValue).sum();
        return new Row(name, why, List.of(Figure.IN_TIME, LOW), seed -> {
            Demand promised = Situations.open(new Arrivals.Series(PERIOD, counts, 1), 0, requests, 0.5, seed);
            Outcome outcome = besideAnyNumber(420, promised, 20_000, seed);
            return new double[] {
                Situations.inTime(outcome, 0),
                outcome.sites().getLast().ledger().perSecond()
            };
        });
    }

    /** A promised site with two proxies and five apps, beside one of two nodes that wants any number. */
    private static Outcome besideAnyNumber(double guarantee, Demand promised, int lowRequests, long seed) {
        Allocation first = new Allocation(List.of(2, 1), List.of(5, 1));
        List<SiteConfig> sites = List.of(Lab.site(1, guarantee, 9), Lab.site(2, null, 9));
        Demand low = new Demand(
                Workload.read(GeneratedTrace.mixed(lowRequests, 0.5, Lab.SINGLE, seed), 1, Long.MAX_VALUE),
                Clients.closed(Lab.CLIENTS));
        return Lab.reconfigured(Situations.setup(Situations.cluster(sites, first, 0), Lab.HTTPD, seed, promised, low));
    }

    private static Row plain() {
        List<SiteConfig> sites = List.of(Lab.site(1, null, 7), Lab.site(2, null, 7));
        return Row.of(
                "E10",
                "two sites without a promise, asked in turn for bursts of 4,096",
                new Figure("requests/s", 4),
                seed -> {
                    BurstPlan plan = BurstPlan.of(4096, 4, RequestClass.STATIC);
                    Trace both = new MergedTrace(TwoSites.bursts(plan, 0.5, Lab.SINGLE, seed));
                    Demand demand = new Demand(
                            Workload.read(both, new int[] {0, 1}, Long.MAX_VALUE), Clients.closed(Lab.CLIENTS));
                    return Lab.reconfigured(
                                    Situations.setup(Situations.cluster(sites, TWO, 0), Lab.HTTPD, seed, demand))
                            .perSecond();
                });
    }
}
