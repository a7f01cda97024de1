package dev.retier.bench.board;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.bench.board.Row.Figure;
import dev.retier.bench.figures.Lab;
import dev.retier.link.NodeId;
import dev.retier.sim.faults.ClusterWorld;
import dev.retier.sim.faults.Fault;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.GeneratedTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** Loads that stay as they are, loads that come by chance, and made worlds. Stateless. */
final class QuietRows {
    /** Worlds that one seed stands for. */
    private static final int WORLDS = 2;

    private static final double SECONDS = 120;
    /** Nodes as slow as web-nodes that share a processor with much else. */
    private static final NodeCosts SMALL = new NodeCosts(Lab.CAPACITY, 950, 1900, 317, 3167);

    /** What machines are worth beside each other. */
    private static final Map<NodeId, Double> UNEQUAL = Map.of(
            new NodeId(1), 1.0,
            new NodeId(2), 2.0,
            new NodeId(3), 1.0,
            new NodeId(4), 3.0,
            new NodeId(5), 1.0,
            new NodeId(6), 1.5);

    private QuietRows() {}

    /**
     * Poisson arrivals for a split that is the best one for their mix, which trying all splits has to confirm.
     *
     * @param proxies that it has, of seven nodes
     * @param dynamicShare of the requests
     * @param level share of what the split carries that is asked for
     */
    record Quiet(int proxies, double dynamicShare, double level) {
        private static final int NODES = 7;

        Allocation split() {
            return Allocation.of(proxies, NODES - proxies);
        }

        double perSecond() {
            return level * Situations.best(NODES, Lab.HTTPD, dynamicShare);
        }

        Setup setup(double seconds, long seed) {
            ClusterConfig config = Situations.cluster(split());
            long requests = Math.round(perSecond() * seconds);
            Setup setup = Situations.setup(
                    config,
                    Lab.HTTPD,
                    seed,
                    Situations.open(new Arrivals.Poisson(perSecond()), 0, requests, dynamicShare, seed));
            return Situations.lagging(setup, LAG);
        }

        @Override
        public String toString() {
            return split() + " " + Math.round(100 * dynamicShare) + " % dynamic at " + level;
        }
    }

    /**
     * Figures of real httpd nodes that were saturated, so that each should have been 1, over 200 ms each 100 ms: nine
     * nodes of a lab with 10 % of a processor each, 35 s, open loop. They deviated by 0.072 (median; 0.02 to 0.09), and
     * every second one by -0.4 of that, as what a counter tells late is told by the next one: a uniform lag of 35 ms of
     * the node's own time gives the same.
     */
    static final Duration LAG = Duration.ofMillis(35);

    /** All levels, of a mix that apps limit, and of one that both tiers limit alike. */
    static List<Quiet> quiet() {
        List<Quiet> all = new ArrayList<>();
        for (double level : new double[] {0.6, 0.7, 0.8, 0.85}) {
            all.add(new Quiet(2, 0.5, level));
            all.add(new Quiet(4, 0.2, level));
        }
        return all;
    }

    static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        for (Quiet quiet : List.of(new Quiet(2, 0.5, 0.7), new Quiet(2, 0.5, 0.85), new Quiet(4, 0.2, 0.85))) {
            rows.add(new Row(
                    "quiet " + quiet,
                    "Poisson arrivals that the split carries: figures above the threshold by chance are no reason",
                    List.of(Figure.MOVES, Figure.IN_TIME),
                    seed -> calm(Lab.reconfigured(quiet.setup(SECONDS, seed)))));
        }
        rows.add(saturated());
        rows.add(cold());
        rows.add(twoSites());
        rows.add(spikes());
        rows.add(worlds(
                "worlds at rest",
                "any cluster under a constant load ends in a split that no move betters",
                EnumSet.noneOf(Fault.class)));
        rows.add(worlds(
                "worlds in storms", "the same, after seconds in which anything may fail", EnumSet.allOf(Fault.class)));
        return rows;
    }

    private static double[] calm(Outcome outcome) {
        return new double[] {-outcome.moves().size(), Situations.inTime(outcome, 0)};
    }

    private static Row saturated() {
        return Row.of(
                "quiet saturated",
                "clients that keep their connections fill the best split for their mix: another is no better",
                Figure.MOVES,
                seed -> {
                    Setup setup = Situations.setup(
                            Situations.cluster(Allocation.of(2, 5)),
                            Lab.HTTPD,
                            seed,
                            Lab.closed(GeneratedTrace.mixed(60_000, 0.5, Lab.SINGLE, seed)));
                    return -Lab.reconfigured(Situations.lagging(setup, LAG))
                            .moves()
                            .size();
                });
    }

    private static Row cold() {
        return Row.of(
                "quiet many files",
                "a constant load, and another split that is better once the cache of a proxy that joins has filled",
                Figure.MOVES,
                seed -> -Lab.reconfigured(Situations.setup(
                                Situations.cluster(Allocation.of(2, 3)),
                                SMALL,
                                seed,
                                new Demand(
                                        Workload.read(
                                                GeneratedTrace.mixed(15_000, 0.5, Lab.ZIPF, seed), 0, Long.MAX_VALUE),
                                        Clients.staying(20))))
                        .moves()
                        .size());
    }

    /** Whatever the split, some tier is used up to about the threshold, and above it by chance. */
    private static Row twoSites() {
        return Row.of(
                "quiet two sites",
                "two sites of unequal machines, each asked at 150/s: the threshold is passed by chance all the time",
                Figure.MOVES,
                seed -> {
                    int nodes = UNEQUAL.size();
                    ClusterConfig config = Situations.cluster(
                            List.of(Lab.site(1, null, nodes), Lab.site(2, null, nodes)),
                            new Allocation(List.of(1, 1), List.of(2, 1)),
                            1);
                    Setup setup = Situations.setup(
                            config,
                            new NodeCosts(Lab.CAPACITY, 712, 1425, 237, 2375),
                            seed,
                            poisson(150, 0, seed),
                            poisson(150, 1, -seed));
                    return -Lab.reconfigured(Situations.with(setup, UNEQUAL))
                            .moves()
                            .size();
                });
    }

    private static Demand poisson(double perSecond, int site, long seed) {
        long requests = Math.round(perSecond * 10 * SECONDS);
        Trace trace = GeneratedTrace.arriving(
                new Arrivals.Poisson(perSecond), GeneratedTrace.mixed(requests, 0.5, Lab.ZIPF, seed), seed);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.open(1));
    }

    private static Row spikes() {
        return Row.of(
                "spikes",
                "arrivals that double for some seconds at random, which the split cannot carry",
                Figure.IN_TIME,
                seed -> {
                    Arrivals arrivals = new Arrivals.OnOff(780, 200, 6, 10);
                    return Situations.inTime(
                            Lab.reconfigured(Situations.lagging(
                                    Situations.setup(
                                            Situations.cluster(Allocation.of(2, 5)),
                                            Lab.HTTPD,
                                            seed,
                                            Situations.open(arrivals, 0, 60_000, 0.3, seed)),
                                    LAG)),
                            0);
                });
    }

    private static Row worlds(String name, String why, Set<Fault> faults) {
        return Row.of(
                name,
                why,
                new Figure("clean", 0.005),
                seed -> LongStream.range(0, WORLDS)
                                .mapToObj(world -> ClusterWorld.run(seed * WORLDS + world, faults))
                                .filter(report -> report.violation().isEmpty() && !report.isRestless())
                                .count()
                        / (double) WORLDS);
    }
}
