package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.traces.made.GeneratedTrace;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Static requests alone need proxies; seven equal nodes. */
class NeighboursTest {
    private static final Role PROXY = Role.serving(Shops.SHOP, Tier.PROXY);
    private static final Role APP = Role.serving(Shops.SHOP, Tier.APP);
    private static final SiteId BLOG = new SiteId(2);

    private static Optional<String> better(ClusterConfig config, List<Demand> demands, List<Role> roles, int steps) {
        Service.Parts parts = new Service.Parts(
                Shops.HTTPD,
                Collections.nCopies(roles.size(), Shops.HTTPD.capacityPerSecond()),
                demands.size(),
                demands,
                0);
        return new Neighbours(config, parts, 1000).better(roles, _ -> true, steps);
    }

    private static Optional<String> ofOneSite(double dynamicShare, List<Role> roles, int steps) {
        return better(Shops.cluster(2, roles.size() - 2), List.of(Shops.mix(10_000, dynamicShare, 48)), roles, steps);
    }

    @Test
    void shouldFindAMoveThatWasMissed() {
        assertThat(ofOneSite(0, List.of(PROXY, PROXY, APP, APP, APP, APP, APP), 1))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("node-3 as site-1/proxy instead of site-1/app")
                        .contains("requests/s"));
    }

    @Test
    void shouldBeContentWithTheBestSplit() {
        assertThat(ofOneSite(0, List.of(PROXY, PROXY, PROXY, PROXY, PROXY, PROXY, APP), 2))
                .isEmpty();
    }

    @Test
    void shouldFindASpareNode_thatWouldHelp() {
        assertThat(ofOneSite(0, List.of(PROXY, APP, Role.SPARE), 1).orElse("nothing"))
                .contains("node-3 as site-1/proxy instead of spare");
        assertThat(ofOneSite(0, List.of(PROXY, APP, Role.DRAINED), 1)).isEmpty();
    }

    /** Both tiers are all used: one node more for one of them alone helps nobody. */
    @Test
    void shouldFindTwoMoves_whereOneIsInVain() {
        List<Role> roles = List.of(PROXY, PROXY, APP, APP, APP, APP, Role.SPARE, Role.SPARE);
        double even = 4 * 363.0 / (2 * 1570 + 4 * 266); // two proxies and four apps are used alike
        assertThat(ofOneSite(even, roles, 1)).isEmpty();
        assertThat(ofOneSite(even, roles, 2).orElse("nothing")).contains(" as site-1/proxy", " as site-1/app");
    }

    private static Optional<String> ofTwoSites(@Nullable Double promise, Clients first) {
        List<SiteConfig> sites = List.of(Shops.site(1, 1, promise, 4), Shops.site(2, 2, null, 4));
        List<Role> roles = List.of(PROXY, PROXY, APP, Role.serving(BLOG, Tier.PROXY), Role.serving(BLOG, Tier.APP));
        ClusterConfig config = MadeCluster.of(sites, roles, MadeCluster.Rules.DEFAULTS);
        Workload statics = Workload.read(GeneratedTrace.mixed(10_000, 0, Shops.FILES, 1), 0, Long.MAX_VALUE);
        Workload other = Workload.read(GeneratedTrace.mixed(10_000, 0, Shops.FILES, 1), 1, Long.MAX_VALUE);
        return better(config, List.of(new Demand(statics, first), new Demand(other, Clients.closed(48))), roles, 1);
    }

    @Test
    void shouldTakeWhatIdles_andNothingThatIsUsedOrMayBePromised() {
        Clients few = Clients.open(0.1); // 100 requests/s, where a proxy answers 260
        assertThat(ofTwoSites(null, few).orElse("nothing")).contains("node-1 as site-2/proxy instead of site-1/proxy");
        assertThat(ofTwoSites(null, Clients.closed(48))).as("it uses both").isEmpty();
        assertThat(ofTwoSites(200.0, few)).isEmpty();
    }
}
