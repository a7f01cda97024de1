package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.state.SiteId;
import dev.retier.traces.RequestClass;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small data-centers for tests. */
public final class Shops {
    /** The costs of seven real httpd nodes in CPU microseconds; of its quota a node gets 95 % (see the README). */
    public static final NodeCosts HTTPD = new NodeCosts(95_000, 363, 363, 97, 1570);

    /** As in the real runs: 200 files of 16 KB. */
    public static final Catalogue FILES =
            new Catalogue(200, 0.8, new BodySizes.Fixed(16_384), new BodySizes.Fixed(1024));

    public static final SiteId SHOP = new SiteId(1);

    private Shops() {}

    public static SiteConfig site(int id, int priority, @Nullable Double guarantee, int nodes) {
        return new SiteConfig(
                new SiteId(id),
                "site-" + id,
                List.of(),
                priority,
                guarantee,
                new TierBounds(1, nodes),
                new TierBounds(1, nodes),
                null);
    }

    public static ClusterConfig cluster(int proxies, int apps) {
        List<SiteConfig> sites = List.of(site(1, 1, null, proxies + apps));
        ClusterConfig any = MadeCluster.of(
                sites,
                java.util.Collections.nCopies(proxies + apps, dev.retier.state.Role.SPARE),
                MadeCluster.Rules.DEFAULTS);
        return MadeCluster.with(any, Allocation.of(proxies, apps).roles(any));
    }

    public static Demand mix(int requests, double dynamicShare, int clients) {
        return new Demand(
                Workload.read(GeneratedTrace.mixed(requests, dynamicShare, FILES, 1), 0, Long.MAX_VALUE),
                Clients.closed(clients));
    }

    public static Demand bursts(int requestsPerBurst, int bursts, int clients) {
        BurstPlan plan = BurstPlan.of(requestsPerBurst, bursts, RequestClass.STATIC);
        return new Demand(
                Workload.read(GeneratedTrace.alternating(plan, FILES, 1), 0, Long.MAX_VALUE), Clients.closed(clients));
    }

    /** The same, whose clients stay where they are. */
    public static Demand staying(Demand demand) {
        return new Demand(demand.workload(), Clients.staying(demand.clients().count()));
    }

    public static Approach.Rigid rigid(ClusterConfig config) {
        return new Approach.Rigid(
                config.nodes().stream().map(node -> node.initialRole()).toList());
    }
}
