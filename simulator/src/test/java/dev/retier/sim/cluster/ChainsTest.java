package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import dev.retier.traces.made.GeneratedTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whole agents carry out changes of two steps: httpd proxies are the only nodes that can help the apps, no proxy may
 * leave before another comes, and the only one that can come is a spare HAProxy, which is the last node.
 */
class ChainsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Role PROXY = Role.serving(Shops.SHOP, Tier.PROXY);
    private static final Role APP = Role.serving(Shops.SHOP, Tier.APP);
    private static final SiteConfig BLOG = site(2, 2, null, 2);
    private static final Role BLOG_PROXY = Role.serving(BLOG.id(), Tier.PROXY);
    private static final Role BLOG_APP = Role.serving(BLOG.id(), Tier.APP);

    private final VirtualTime time = new VirtualTime();

    /** A data-center under load. */
    private record Center(Service service, Cluster cluster, int nodes) {
        long serving(Role role) {
            return IntStream.range(0, nodes)
                    .filter(node -> cluster.word(node).serves(role))
                    .count();
        }
    }

    private static SiteConfig site(int id, int priority, @Nullable Double guarantee, int fewestProxies) {
        SiteConfig any = Shops.site(id, priority, guarantee, 9);
        return new SiteConfig(
                any.id(),
                any.name(),
                any.hosts(),
                priority,
                guarantee,
                new TierBounds(fewestProxies, 9),
                any.app(),
                any.proxyHold());
    }

    /** All are httpd, but for these. */
    private Center begin(List<SiteConfig> sites, List<Role> roles, List<Demand> demands, List<Integer> haproxies) {
        ClusterConfig made = MadeCluster.of(sites, roles, MadeCluster.Rules.DEFAULTS);
        List<NodeConfig> nodes = IntStream.range(0, roles.size())
                .mapToObj(index -> withKind(
                        made.nodes().get(index), haproxies.contains(index) ? ServerKind.HAPROXY : ServerKind.HTTPD))
                .toList();
        ClusterConfig config = new ClusterConfig(
                made.name(),
                made.mode(),
                made.transport(),
                made.secret(),
                made.journalDirectory(),
                made.timing(),
                made.decision(),
                made.move(),
                made.sites(),
                nodes,
                made.witnesses(),
                made.edges(),
                made.formerHandshake(),
                made.volumes(),
                made.admin(),
                made.rdmaTls());
        Service service = new Service(
                time,
                new Service.Parts(
                        Shops.HTTPD,
                        Collections.nCopies(roles.size(), Shops.HTTPD.capacityPerSecond()),
                        sites.size(),
                        demands,
                        100_000));
        Cluster cluster = new Cluster(time, config, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        return new Center(service, cluster, roles.size());
    }

    private static NodeConfig withKind(NodeConfig node, ServerKind kind) {
        ServerConfig of = node.server();
        ServerConfig server = new ServerConfig(
                kind, of.address(), of.admin(), of.roleFile(), of.provePath(), of.control(), kind.tiers());
        return new NodeConfig(node.id(), node.name(), node.rdma(), server, null, node.agentAdmin(), node.initialRole());
    }

    private static List<Role> roles(Object... counted) {
        List<Role> roles = new ArrayList<>();
        for (int at = 0; at < counted.length; at += 2) {
            roles.addAll(Collections.nCopies((int) counted[at + 1], (Role) counted[at]));
        }
        return roles;
    }

    private static Demand asks(int site, double dynamicShare, int clients) {
        return new Demand(
                Workload.read(GeneratedTrace.mixed(100_000, dynamicShare, Shops.FILES, site), site, Long.MAX_VALUE),
                Clients.closed(clients));
    }

    private Center shop() {
        return begin(
                List.of(site(1, 1, null, 2)),
                roles(PROXY, 2, APP, 3, Role.SPARE, 1),
                List.of(asks(0, 1, 48)),
                List.of(5));
    }

    private Center shopAndBlog() {
        return begin(
                List.of(site(1, 1, null, 1), BLOG),
                roles(PROXY, 1, APP, 3, BLOG_PROXY, 2, BLOG_APP, 1, Role.SPARE, 1),
                List.of(asks(0, 1, 48), asks(1, 0.05, 1)),
                List.of(0, 7));
    }

    private void run(Center center, long untilSeconds) {
        while (time.step(untilSeconds * SECOND, center.service::on)) {}
    }

    private static void assertInOrder(Center center, int haproxy, Role place, Role goal) {
        List<MoveSeen> moves = center.cluster.chronicle().moves();
        assertThat(moves).hasSize(2).allMatch(MoveSeen::isComplete);
        MoveSeen first = moves.getFirst();
        MoveSeen second = moves.getLast();
        assertThat(first.node().value()).isEqualTo(haproxy + 1);
        assertThat(first.to()).isEqualTo(place);
        assertThat(second.from()).isEqualTo(place);
        assertThat(second.to()).isEqualTo(goal);
        assertThat(second.orderedSeconds()).isGreaterThanOrEqualTo(first.endedSeconds());
    }

    @Test
    void shouldLetAnHaproxyFreeAProxyForTheApps() {
        Center center = shop();

        run(center, 20);

        assertInOrder(center, 5, PROXY, APP);
        assertThat(center.serving(PROXY)).isEqualTo(2);
        assertThat(center.serving(APP)).isEqualTo(4);
        assertThat(center.service.ledger(0).failedTotal()).isZero();
    }

    @Test
    void shouldLetAnHaproxyFreeAProxyOfAnotherSiteForTheApps() {
        Center center = shopAndBlog();

        run(center, 20);

        assertInOrder(center, 7, BLOG_PROXY, APP);
        assertThat(center.serving(APP)).isEqualTo(4);
        assertThat(center.serving(BLOG_PROXY)).isEqualTo(2);
        assertThat(center.service.ledger(0).failedTotal()).isZero();
        assertThat(center.service.ledger(1).failedTotal()).isZero();
    }

    @Test
    void shouldLeaveTheProxiesAsTheyAre_whenTheHaproxyDoesNotBecomeOne() {
        Center center = shopAndBlog();
        center.cluster.trouble(7).refuse(true);

        run(center, 60);

        assertThat(center.cluster.chronicle().moves())
                .isNotEmpty()
                .allMatch(move -> move.node().value() == 8 && move.undone() != null);
        assertThat(center.serving(APP)).isEqualTo(3);
        assertThat(center.serving(BLOG_PROXY)).isEqualTo(2);
        assertThat(center.cluster.word(7).serves(Role.SPARE)).isTrue();
    }

    @Test
    void shouldMakeWhatIsLeft_whenTheMakerOfTheChainDiesBetweenTheSteps() {
        Center center = shopAndBlog();
        while (!center.cluster.word(7).serves(BLOG_PROXY)) {
            assertThat(time.step(20 * SECOND, center.service::on)).isTrue();
        }
        // The blog's proxies are those who make it; both of their agents go, and come back.
        center.cluster.crash(4, false);
        center.cluster.crash(5, false);
        run(center, 12);
        assertThat(center.serving(APP)).as("half of it is no harm").isEqualTo(3);
        center.cluster.restart(4);
        center.cluster.restart(5);

        run(center, 60);

        assertInOrder(center, 7, BLOG_PROXY, APP);
        assertThat(center.service.ledger(0).failedTotal()).isZero();
    }
}
