package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;

/** Searches how few nodes keep every promise: rigid, reconfigured, and at best. Stateless. */
public final class FewestNodes {
    private FewestNodes() {}

    /**
     * What was asked.
     *
     * @param keptShare of the intervals in which each promise must be kept, above 0 up to 1
     * @param most nodes to try
     */
    public record Wish(double keptShare, int most) {
        /** Checks the ranges. */
        public Wish {
            if (!(keptShare > 0 && keptShare <= 1)) {
                throw new IllegalArgumentException("share " + keptShare + " of the intervals is not within 0..1");
            }
        }
    }

    /** One try. */
    private record Try(String approach, Outcome outcome, boolean isEnough) {}

    /** How a run with so many nodes is made. */
    @FunctionalInterface
    private interface Way {
        Outcome run(Setup setup);
    }

    /**
     * Tries more and more nodes for each approach until one number is enough; one row per try.
     *
     * @throws IllegalArgumentException when no site is promised anything
     */
    public static Table search(Setup setup, Wish wish) {
        if (setup.config().sites().stream().allMatch(site -> site.guaranteeRequestsPerSecond() == null)) {
            throw new IllegalArgumentException(
                    "no site has a guarantee, so there is no promise to keep; give a site 'guarantee' in the file");
        }
        Search search = new Search(setup, wish, new ArrayList<>());
        int least = search.from(2 * setup.config().sites().size(), "oracle", FewestNodes::oracle);
        int _ = search.from(least, "reconfigured", one -> Simulation.run(one, new Approach.Reconfigured()));
        int _ = search.from(least, "best rigid", BestRigid::find);
        return table(search.tries);
    }

    private static Outcome oracle(Setup setup) {
        return Simulation.run(setup, new Approach.Oracle());
    }

    private record Search(Setup setup, Wish wish, List<Try> tries) {
        /** The first number that is enough, or the most that may be tried. */
        int from(int least, String approach, Way way) {
            for (int nodes = least; nodes < wish.most(); nodes++) {
                if (isEnough(nodes, approach, way)) {
                    return nodes;
                }
            }
            isEnough(wish.most(), approach, way);
            return wish.most();
        }

        private boolean isEnough(int nodes, String approach, Way way) {
            ClusterConfig config = MadeCluster.resized(setup.config(), nodes);
            Outcome outcome = way.run(setup.with(config));
            boolean isEnough = outcome.sites().stream().allMatch(site -> site.keptShare() >= wish.keptShare());
            tries.add(new Try(approach, outcome, isEnough));
            return isEnough;
        }
    }

    private static Table table(List<Try> tries) {
        Table table = new Table("approach", "nodes", "least_kept_percent", "throughput_per_second", "moves", "enough");
        for (Try one : tries) {
            double least = one.outcome.sites().stream()
                    .mapToDouble(SiteOutcome::keptShare)
                    .min()
                    .orElse(1);
            table.row(
                    one.approach,
                    one.outcome.nodes(),
                    Math.round(1000 * least) / 10.0,
                    Math.round(10 * one.outcome.perSecond()) / 10.0,
                    one.outcome.moves().size(),
                    one.isEnough ? "yes" : "no");
        }
        return table;
    }
}
