package dev.retier.bench.board;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
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
import dev.retier.traces.Trace;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What all rows share: nodes as real httpd nodes, one file per class, every default of the cluster file. Stateless. */
final class Lab {
    /** A tenth of a core, of which httpd gets 95 %, in microseconds per second. */
    static final double CAPACITY = 95_000;

    static final NodeCosts HTTPD = costs(1570);
    /** Two proxies carry as many static requests as three apps carry dynamic ones. */
    static final NodeCosts BALANCED = costs(545);

    /** As the source's: six machines of twelve threads. */
    static final int CLIENTS = 72;

    static final Catalogue SINGLE = new Catalogue(1, 0, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));

    /** Of a look at six other nodes, in microseconds: six runs of bench state gave 114 to 145. */
    private static final double LOOK = 121;

    private Lab() {}

    /** Nodes on which a dynamic request takes so many microseconds. */
    static NodeCosts costs(double dynamicMicros) {
        return new NodeCosts(CAPACITY, 363, 363, 97, dynamicMicros);
    }

    static SiteConfig site(int id, @Nullable Double guarantee, int nodes) {
        TierBounds bounds = new TierBounds(1, nodes);
        return site(id, guarantee, bounds, bounds);
    }

    static SiteConfig site(int id, @Nullable Double guarantee, TierBounds proxy, TierBounds app) {
        return new SiteConfig(new SiteId(id), "site-" + id, List.of(), id, guarantee, proxy, app, null);
    }

    /** One site with no promise on {@code split}. */
    static ClusterConfig cluster(Allocation split) {
        return cluster(List.of(site(1, null, split.nodes())), split, 0);
    }

    /** Some sites on {@code first}, and some spare nodes. */
    static ClusterConfig cluster(List<SiteConfig> sites, Allocation first, int spares) {
        ClusterConfig spare = MadeCluster.of(
                sites, Collections.nCopies(first.nodes() + spares, Role.SPARE), MadeCluster.Rules.DEFAULTS);
        return MadeCluster.with(spare, first.roles(spare));
    }

    /** The same cluster with servers of these kinds, by index of the node. */
    static ClusterConfig with(ClusterConfig config, IntFunction<ServerKind> kinds) {
        List<NodeConfig> nodes = new ArrayList<>();
        for (int index = 0; index < config.nodes().size(); index++) {
            NodeConfig node = config.nodes().get(index);
            ServerConfig server = node.server();
            nodes.add(new NodeConfig(
                    node.id(),
                    node.name(),
                    node.rdma(),
                    new ServerConfig(
                            kinds.apply(index),
                            server.address(),
                            server.admin(),
                            server.roleFile(),
                            server.provePath(),
                            server.control()),
                    node.agentAdmin(),
                    node.initialRole()));
        }
        return new ClusterConfig(
                config.name(),
                config.mode(),
                config.transport(),
                config.secret(),
                config.journalDirectory(),
                config.timing(),
                config.decision(),
                config.move(),
                config.sites(),
                nodes,
                config.witnesses(),
                config.edges(),
                config.formerHandshake());
    }

    static Setup setup(ClusterConfig config, NodeCosts costs, long seed, Demand... demands) {
        return Setup.of(config, costs, List.of(demands)).with(new Cluster.Settings(Delays.MEASURED, LOOK, seed));
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

    static Demand closed(Trace trace) {
        return closed(trace, CLIENTS);
    }

    static Demand closed(Trace trace, int clients) {
        return new Demand(Workload.read(trace, 0, Long.MAX_VALUE), Clients.closed(clients));
    }

    /** Requests that come whether or not those before are answered. */
    static Demand open(Arrivals arrivals, int site, long requests, double dynamicShare, long seed) {
        Trace trace =
                GeneratedTrace.arriving(arrivals, GeneratedTrace.mixed(requests, dynamicShare, SINGLE, seed), seed);
        return new Demand(Workload.read(trace, site, Long.MAX_VALUE), Clients.open(1));
    }

    /** Requests per second of the best split of so many equal nodes for that mix, by the model. */
    static double best(int nodes, NodeCosts costs, double dynamicShare) {
        return Split.of(nodes)
                .mapToDouble(split -> costs.requestsPerSecond(split, dynamicShare))
                .max()
                .orElseThrow();
    }

    static Outcome reconfigured(Setup setup) {
        return Simulation.run(setup, new Approach.Reconfigured());
    }

    /** Share of the requests that were sent to that site which were answered within a second. */
    static double inTime(Outcome outcome, int site) {
        var ledger = outcome.sites().get(site).ledger();
        return (double) ledger.well(0, ledger.buckets()) / ledger.sentTotal();
    }
}
