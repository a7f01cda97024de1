package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.view.ClusterView;
import dev.retier.config.HostPort;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RenderTest {
    private static final JsonMapper MAPPER = new JsonMapper();
    /** Of all nodes of {@link #CONFIG}, whatever their role. */
    private static final List<String> HOSTS = List.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");

    private static final ClusterConfig CONFIG = Clusters.config(2, 2);
    private static final RoleWord ORDERED = RoleWord.active(0, 0, APP).ordered(6, 1, PROXY);

    private static String content(ClusterView view, Role role, long stamp) {
        return RoleFiles.content(CONFIG, view, Shares.EVEN, role, stamp)
                .orElseThrow()
                .content();
    }

    private static void assertSame(String written, String expected) {
        ObjectNode whole = (ObjectNode) MAPPER.readTree(expected);
        HOSTS.forEach(whole.putArray("nodes")::add);
        assertThat(MAPPER.readTree(written)).isEqualTo(whole);
    }

    @Test
    void shouldListTheActiveApps_whenRenderedForAProxy() {
        ClusterView view = view(known(1, PROXY), known(2, PROXY), known(3, APP), known(4, APP));
        assertSame(content(view, PROXY, 12), """
                {"epoch": 12, "managed-by": "retier, cluster test; do not edit", "role": "proxy", "site": "shop",
                 "apps": [{"node": "node-3", "address": "10.0.0.3:8080", "weight": 100},
                          {"node": "node-4", "address": "10.0.0.4:8080", "weight": 100}]}
                """);
    }

    @Test
    void shouldSayWhichConnectionsGo_toAProxyAlone() {
        ClusterView view = view(known(1, PROXY), known(3, APP));
        Shares shares = new Shares(Map.of(), Capacities.NONE, new LetGo(3, 17));
        assertSame(
                RoleFiles.content(CONFIG, view, shares, PROXY, 12).orElseThrow().content(), """
                {"epoch": 12, "managed-by": "retier, cluster test; do not edit", "role": "proxy", "site": "shop",
                 "apps": [{"node": "node-3", "address": "10.0.0.3:8080", "weight": 100}],
                 "let-go": {"round": 3, "percent": 17}}
                """);
        assertThat(RoleFiles.content(CONFIG, view, shares, APP, 12)
                        .orElseThrow()
                        .content())
                .doesNotContain("let-go");
    }

    @Test
    void shouldLeaveOut_whenOrderedOrDown() {
        ClusterView ordered = view(known(1, PROXY), known(3, ORDERED), known(4, APP));
        assertThat(content(ordered, PROXY, 12)).contains("node-4").doesNotContain("node-3");
        ClusterView down = view(known(1, PROXY), known(3, RoleWord.active(0, 0, APP), Health.DOWN, 0), known(4, APP));
        assertThat(content(down, PROXY, 12)).contains("node-4").doesNotContain("node-3");
    }

    @Test
    void shouldRenderNothing_whenAProxyWouldHaveNoApp() {
        assertThat(RoleFiles.content(CONFIG, view(known(1, PROXY), known(3, ORDERED)), Shares.EVEN, PROXY, 12))
                .isEmpty();
    }

    @Test
    void shouldNameTheSiteOnly_whenRenderedForAnApp() {
        assertSame(content(view(known(1, PROXY)), APP, 13), """
                {"epoch": 13, "managed-by": "retier, cluster test; do not edit", "role": "app", "site": "shop"}
                """);
    }

    @Test
    void shouldNameNoSite_whenRenderedForASpare() {
        assertSame(content(view(known(1, PROXY)), Role.SPARE, 1), """
                {"epoch": 1, "managed-by": "retier, cluster test; do not edit", "role": "spare"}
                """);
    }

    @Test
    void shouldListTheActiveProxies_whenRenderedForTheEdge() {
        ClusterView view = view(known(1, PROXY), known(2, PROXY), known(3, ORDERED), known(4, APP));
        TargetList list = TargetList.of(CONFIG, view, CONFIG.sites().getFirst());
        assertThat(list)
                .isEqualTo(new TargetList(
                        12, "shop", List.of(new HostPort("10.0.0.1", 8080), new HostPort("10.0.0.2", 8080))));
        assertThat(list.json())
                .isEqualTo("{\"epoch\":12,\"site\":\"shop\",\"targets\":[\"10.0.0.1:8080\",\"10.0.0.2:8080\"]}");
    }

    @Test
    void shouldChangeTheTag_whenOnlyAFailureChangedTheList() {
        TargetList both = new TargetList(12, "shop", List.of(new HostPort("a", 1), new HostPort("b", 1)));
        TargetList one = new TargetList(12, "shop", List.of(new HostPort("a", 1)));
        assertThat(both.entityTag()).startsWith("\"12-").isNotEqualTo(one.entityTag());
    }

    @Test
    void shouldRenderEveryFirstFile_whenOnlyTheConfigurationIsKnown() {
        ClusterView view = ConfiguredView.of(CONFIG);
        assertThat(content(view, PROXY, 1)).contains("node-3", "node-4");
        assertThat(view.serving(PROXY)).hasSize(2);
    }
}
