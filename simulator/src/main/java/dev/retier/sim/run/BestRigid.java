package dev.retier.sim.run;

import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.run.Planner.Need;
import dev.retier.sim.service.Workload.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the roles that serve a load best if they never change. Stateless. */
public final class BestRigid {
    /** The model is good to some 10 %, so the best of these by simulation is the best of all. */
    private static final int SIMULATED = 6;

    private BestRigid() {}

    /** What a candidate comes to by the model: how much of the load finds a guarantee broken, and how long it takes. */
    private record Estimate(Allocation allocation, double brokenShare, double seconds) {}

    /** The outcome of the best allocation: the one that keeps most, the highest priority first; then the fastest. */
    public static Outcome find(Setup setup) {
        Planner planner = new Planner(setup.config(), setup.costs()::requestsPerSecond);
        List<Pieces> demands = setup.demands().stream().map(Pieces::new).toList();
        List<List<Need>> combinations =
                Pieces.combinations(demands, setup.config().sites().size());
        List<Outcome> outcomes = Planner.candidates(setup.config()).stream()
                .map(candidate -> estimate(candidate, planner, demands, combinations))
                .sorted(Comparator.comparingDouble(Estimate::brokenShare).thenComparingDouble(Estimate::seconds))
                .limit(SIMULATED)
                .map(estimate -> Simulation.run(
                        setup, new Approach.Rigid(estimate.allocation().roles(setup.config()))))
                .toList();
        return outcomes.stream().max(better(setup)).orElseThrow();
    }

    private static Comparator<Outcome> better(Setup setup) {
        List<Integer> byPriority = new ArrayList<>();
        List<SiteConfig> sites = setup.config().sites();
        for (int site = 0; site < sites.size(); site++) {
            byPriority.add(site);
        }
        byPriority.sort(Comparator.comparingInt(site -> sites.get(site).priority()));
        Comparator<Outcome> order = Comparator.comparingInt(_ -> 0);
        for (int site : byPriority) {
            order = order.thenComparingDouble(
                    outcome -> outcome.sites().get(site).keptShare());
        }
        return order.thenComparingDouble(outcome -> -outcome.seconds()).thenComparingDouble(Outcome::done);
    }

    private static Estimate estimate(
            Allocation allocation, Planner planner, List<Pieces> demands, List<List<Need>> combinations) {
        long broken = combinations.stream()
                .filter(needs -> !planner.keeps(allocation, needs))
                .count();
        double seconds = 0;
        for (Pieces demand : demands) {
            for (Piece piece : demand.all()) {
                Need need = demand.need(piece);
                double rate = Math.min(need.perSecond(), planner.rate(allocation, piece.site(), need));
                seconds += piece.stretch().requests() / rate;
            }
        }
        return new Estimate(allocation, (double) broken / combinations.size(), seconds);
    }
}
