package dev.retier.bench.figures;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Approach;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.run.Simulation;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all figures share: the nodes, the traces, the rules. Stateless. */
public final class Lab {
    /** Processor time of one node, in microseconds per second: a tenth of a core, of which httpd gets 95 %. */
    public static final double CAPACITY = 95_000;

    /** As on seven real httpd nodes. */
    public static final NodeCosts HTTPD = new NodeCosts(CAPACITY, 363, 363, 97, 1570);

    /** Two proxies carry as many static requests as three apps carry dynamic ones, as in the source's figure 5.14. */
    public static final NodeCosts BALANCED = new NodeCosts(CAPACITY, 363, 363, 97, 545);

    /** As the source's clients: six machines of twelve threads. */
    public static final int CLIENTS = 72;

    static final long SEED = 1;

    /** Every default of the cluster file. */
    static final MadeCluster.Rules USUAL = MadeCluster.Rules.DEFAULTS;

    /** As Zipf's many, in the source's figure 5.10. */
    public static final Catalogue ZIPF =
            new Catalogue(2000, 0.9, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));

    /** The source's "single file": one object per class. */
    public static final Catalogue SINGLE = new Catalogue(1, 0, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));

    /** Of a look at six other nodes, with both ends' work, in microseconds: six runs of bench state gave 114 to 145. */
    public static final double LOOK = 121;

    /** A processor microsecond is a unit. */
    private static final Cluster.Settings SETTINGS = new Cluster.Settings(Delays.MEASURED, LOOK, SEED);

    private Lab() {}

    /** A site of that id and priority that may have as many nodes in a tier as there are. */
    public static SiteConfig site(int id, @Nullable Double guarantee, int nodes) {
        TierBounds bounds = new TierBounds(1, nodes);
        return new SiteConfig(new SiteId(id), "site-" + id, List.of(), id, guarantee, bounds, bounds, null);
    }

    /** One site on {@code split}. */
    static ClusterConfig cluster(Allocation split, @Nullable Double guarantee, MadeCluster.Rules rules) {
        return cluster(List.of(site(1, guarantee, split.nodes())), split, rules);
    }

    static ClusterConfig cluster(List<SiteConfig> sites, Allocation first, MadeCluster.Rules rules) {
        ClusterConfig spare = MadeCluster.of(sites, Collections.nCopies(first.nodes(), Role.SPARE), rules);
        return MadeCluster.with(spare, first.roles(spare));
    }

    static Setup setup(ClusterConfig config, NodeCosts costs, Demand... demands) {
        return Setup.of(config, costs, List.of(demands)).with(SETTINGS);
    }

    static Demand bursts(long requestsPerBurst, int bursts) {
        return closed(
                GeneratedTrace.alternating(BurstPlan.of(requestsPerBurst, bursts, RequestClass.STATIC), SINGLE, SEED));
    }

    static Demand mix(long requests, double dynamicShare) {
        return closed(GeneratedTrace.mixed(requests, dynamicShare, SINGLE, SEED));
    }

    /** All clients, each of which asks again once it is answered. */
    public static Demand closed(Trace trace) {
        return new Demand(Workload.read(trace, 0, Long.MAX_VALUE), Clients.closed(CLIENTS));
    }

    static Outcome rigid(Setup setup, Allocation split) {
        return Simulation.run(setup, new Approach.Rigid(split.roles(setup.config())));
    }

    /** What the agents make of it. */
    public static Outcome reconfigured(Setup setup) {
        return Simulation.run(setup, new Approach.Reconfigured());
    }

    static Outcome oracle(Setup setup) {
        return Simulation.run(setup, new Approach.Oracle());
    }
}
