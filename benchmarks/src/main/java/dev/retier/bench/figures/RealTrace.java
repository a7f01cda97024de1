package dev.retier.bench.figures;

import static java.util.Locale.ROOT;

import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.page.RunCharts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster.Rules;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import dev.retier.traces.Trace;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** E5: a trace of two thirds dynamic requests, the World Cup's where there is one. */
final class RealTrace implements Figure {
    static final double DYNAMIC_SHARE = 2.0 / 3;
    private static final int REQUESTS = 200_000;
    static final Allocation BAD = Allocation.of(5, 2);
    /** So dear that the app tier sets the pace, as where the source measured three times as much. */
    static final NodeCosts COSTS = new NodeCosts(Lab.CAPACITY, 363, 363, 97, 2500);

    private final @Nullable Path file;
    private final Rules rules;

    /** With a World Cup log, or without. */
    RealTrace(@Nullable Path file, Rules rules) {
        this.file = file;
        this.rules = rules;
    }

    @Override
    public String id() {
        return "E5";
    }

    @Override
    public void run(Results results, Verdicts verdicts) {
        results.heading("E5: two thirds dynamic (figure 5.11)");
        Demand demand = demand();
        results.note(
                "Load: " + demand.workload().name() + ", " + demand.workload().size() + " requests. Bad: 5p+2a, two"
                        + " thirds of the nodes are proxies. Dynamic requests of 2500 us.");
        Setup good = Lab.setup(Lab.cluster(Allocation.of(2, 5), null, rules), COSTS, demand);
        Setup bad = Lab.setup(Lab.cluster(BAD, null, rules), COSTS, demand);
        Outcome rigidBad = Lab.rigid(bad, BAD);
        Outcome best = best(good);
        Outcome fromGood = Lab.reconfigured(good).named("reconfigured from 2p+5a");
        Outcome fromBad = Lab.reconfigured(bad).named("reconfigured from 5p+2a");
        Outcome oracle = Lab.oracle(good);
        List<Outcome> shown = List.of(best, rigidBad, fromGood, fromBad, oracle);
        Table table = new Table("approach", "throughput_per_second", "over_best_rigid", "over_bad_rigid", "moves");
        shown.forEach(outcome -> table.row(
                outcome.name(),
                outcome.perSecond(),
                outcome.perSecond() / best.perSecond(),
                outcome.perSecond() / rigidBad.perSecond(),
                outcome.moves().size()));
        results.table("e5-real", table);
        results.plot(RunCharts.throughput("E5: throughput over time", shown, 0));
        double least = Math.min(fromGood.perSecond(), fromBad.perSecond()) / best.perSecond();
        verdicts.judge(
                id(), "0.97 of the best rigid or more", "equal", String.format(ROOT, "%.3f", least), least >= 0.97);
        double gain = fromBad.perSecond() / rigidBad.perSecond();
        verdicts.judge(
                id(),
                "3x the badly chosen one or more",
                "up to 3x",
                String.format(
                        ROOT,
                        "%.2fx; best rigid %.2fx, oracle %.2fx",
                        gain,
                        best.perSecond() / rigidBad.perSecond(),
                        oracle.perSecond() / rigidBad.perSecond()),
                gain >= 3);
    }

    private static Outcome best(Setup setup) {
        Outcome best = Lab.rigid(setup, Allocation.of(1, 6));
        for (int proxies = 2; proxies < 7; proxies++) {
            Outcome other = Lab.rigid(setup, Allocation.of(proxies, 7 - proxies));
            best = other.perSecond() > best.perSecond() ? other : best;
        }
        return best;
    }

    private Demand demand() {
        if (file == null) {
            return Lab.mix(REQUESTS, DYNAMIC_SHARE);
        }
        Trace trace = TraceFiles.of(List.of(file), new ReadOptions(null, DYNAMIC_SHARE, Long.MAX_VALUE, true))
                .scan();
        return Lab.closed(trace);
    }
}
