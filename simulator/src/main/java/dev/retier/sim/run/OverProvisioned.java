package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Planner.Need;
import java.util.ArrayList;
import java.util.List;

/** Each tier as large as its worst stretch needs: what is done where nothing can move. Stateless. */
final class OverProvisioned {
    private static final double ROUNDING = 1e-9;

    private OverProvisioned() {}

    /**
     * The allocation: for a site with a guarantee what carries it with any of the mixes seen; for one without, what the
     * best roles for any stretch give it.
     */
    static Allocation of(Setup setup) {
        ClusterConfig config = setup.config();
        Planner planner = new Planner(config, setup.costs()::requestsPerSecond);
        List<Pieces> demands = setup.demands().stream().map(Pieces::new).toList();
        int[] proxies = new int[config.sites().size()];
        int[] apps = new int[proxies.length];
        for (List<Need> needs : Pieces.combinations(demands, proxies.length)) {
            Allocation best = planner.best(needs);
            for (int site = 0; site < proxies.length; site++) {
                Double guarantee = config.sites().get(site).guaranteeRequestsPerSecond();
                double share = needs.get(site).dynamicShare();
                int wantedProxies = guarantee == null
                        ? best.proxies().get(site)
                        : nodes(guarantee, proxyUnits(setup.costs(), share), setup.costs());
                int wantedApps = guarantee == null
                        ? best.apps().get(site)
                        : nodes(guarantee, share * setup.costs().dynamic(), setup.costs());
                proxies[site] = Math.max(Math.max(1, proxies[site]), wantedProxies);
                apps[site] = Math.max(Math.max(1, apps[site]), wantedApps);
            }
        }
        return new Allocation(list(proxies), list(apps));
    }

    /** The same setup with as many nodes as that takes. */
    static Setup resized(Setup setup, Allocation allocation) {
        ClusterConfig larger = MadeCluster.resized(setup.config(), allocation.nodes());
        return setup.with(MadeCluster.with(larger, allocation.roles(larger)));
    }

    private static double proxyUnits(NodeCosts costs, double dynamicShare) {
        return (1 - dynamicShare) * costs.staticHit() + dynamicShare * costs.forward();
    }

    private static int nodes(double perSecond, double units, NodeCosts costs) {
        return (int) Math.ceil(perSecond * units / costs.capacityPerSecond() - ROUNDING);
    }

    private static List<Integer> list(int[] counts) {
        List<Integer> all = new ArrayList<>();
        for (int count : counts) {
            all.add(count);
        }
        return all;
    }
}
