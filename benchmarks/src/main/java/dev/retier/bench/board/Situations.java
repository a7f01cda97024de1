package dev.retier.bench.board;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.bench.figures.Lab;
import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.GeneratedTrace;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What rows need beyond {@link Lab}: spare and unequal machines, seeds, loads that come by chance. Stateless. */
final class Situations {
    private Situations() {}

    /** Nodes on which a dynamic request takes so many microseconds. */
    static NodeCosts costs(double dynamicMicros) {
        return new NodeCosts(Lab.CAPACITY, 363, 363, 97, dynamicMicros);
    }

    /** With bounds of its tiers. */
    static SiteConfig site(int id, @Nullable Double guarantee, TierBounds proxy, TierBounds app) {
        return new SiteConfig(new SiteId(id), "site-" + id, List.of(), id, guarantee, proxy, app, null);
    }

    /** One site with no promise on {@code split}. */
    static ClusterConfig cluster(Allocation split) {
        return cluster(List.of(Lab.site(1, null, split.nodes())), split, 0);
    }

    /** Some sites on {@code first}, and some spare nodes. */
    static ClusterConfig cluster(List<SiteConfig> sites, Allocation first, int spares) {
        ClusterConfig spare = MadeCluster.of(
                sites, Collections.nCopies(first.nodes() + spares, Role.SPARE), MadeCluster.Rules.DEFAULTS);
        return MadeCluster.with(spare, first.roles(spare));
    }

    static Setup setup(ClusterConfig config, NodeCosts costs, long seed, Demand... demands) {
        return Setup.of(config, costs, List.of(demands)).with(new Cluster.Settings(Delays.MEASURED, Lab.LOOK, seed));
    }

    /** The same with machines of other capacities, as multiples of the usual one. */
    static Setup with(Setup setup, Map<NodeId, Double> factors) {
        return new Setup(
                setup.config(),
                setup.costs(),
                factors,
                setup.demands(),
                setup.settings(),
                setup.interval(),
                setup.limit());
    }

    /** The same, whose servers tell late what they have worked. */
    static Setup lagging(Setup setup, Duration lag) {
        Cluster.Settings usual = setup.settings();
        return setup.with(
                new Cluster.Settings(usual.delays().withLag(lag), usual.unitsPerLook(), usual.seed(), usual.looks()));
    }

    /** So many clients, each of which asks again once it is answered. */
    static Demand closed(Trace trace, int clients) {
        return new Demand(Workload.read(trace, 0, Long.MAX_VALUE), Clients.closed(clients));
    }

    /** Requests that come whether or not those before are answered. */
    static Demand open(Arrivals arrivals, int site, long requests, double dynamicShare, long seed) {
        Trace trace =
                GeneratedTrace.arriving(arrivals, GeneratedTrace.mixed(requests, dynamicShare, Lab.SINGLE, seed), seed);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.open(1));
    }

    /** Requests per second of the best split of so many equal nodes for that mix, by the model. */
    static double best(int nodes, NodeCosts costs, double dynamicShare) {
        return Split.of(nodes)
                .mapToDouble(split -> costs.requestsPerSecond(split, dynamicShare))
                .max()
                .orElseThrow();
    }

    /** Share of the requests that were sent to that site which were answered within a second. */
    static double inTime(Outcome outcome, int site) {
        var ledger = outcome.sites().get(site).ledger();
        return (double) ledger.well(0, ledger.buckets()) / ledger.sentTotal();
    }
}
