package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Stamps;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SendersTest {
    private static final ClusterConfig CONFIG = Clusters.withEdges(Clusters.config(2, 2), "front", "list");
    private static final RoleWord ORDER = RoleWord.active(6, 0, PROXY).ordered(7, 1, APP);
    private static final long STAMP = Stamps.ordered(7);
    private static final ClusterView VIEW = view(known(1, PROXY), known(2, ORDER), known(3, APP), known(4, APP));

    private static Senders after(RoleWord order, EdgeWord... words) {
        Map<String, EdgeWord> newest = Arrays.stream(words)
                .collect(Collectors.toMap(EdgeWord::edge, Function.identity(), (_, later) -> later));
        return Senders.of(CONFIG, VIEW, newest, order);
    }

    private static List<String> sending(EdgeWord... words) {
        return after(ORDER, words).edges().stream()
                .map(sender -> sender.edge().name())
                .toList();
    }

    @Test
    void shouldBeNobody_whenAllEdgesHaveLetGoSinceTheOrder() {
        assertThat(after(ORDER, new EdgeWord("front", STAMP, false), new EdgeWord("list", STAMP + 3, false))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void shouldBeWhoeverHasSaidNothingOrSendsOrRunsAnOlderList() {
        assertThat(sending()).containsExactly("front", "list");
        assertThat(sending(new EdgeWord("front", STAMP, false))).containsExactly("list");
        assertThat(sending(new EdgeWord("front", STAMP - 1, false), new EdgeWord("list", STAMP, true)))
                .containsExactly("front", "list");
    }

    @Test
    void shouldGoByTheNewestWord_whenAnEdgeWasStartedAgain() {
        EdgeWord before = new EdgeWord("front", STAMP, false);
        EdgeWord list = new EdgeWord("list", STAMP, false);

        assertThat(sending(before, EdgeWord.unknown("front"), list)).containsExactly("front");
        assertThat(sending(before, new EdgeWord("front", STAMP - 1, true), list))
                .containsExactly("front");
    }

    @Test
    void shouldBeNoEdge_whenTheNodeWasNoProxyOfItsSite() {
        assertThat(after(RoleWord.active(6, 0, APP).ordered(7, 1, PROXY)).edges())
                .isEmpty();
        assertThat(after(RoleWord.active(6, 0, Role.SPARE).ordered(7, 1, APP)).isEmpty())
                .isTrue();
        Role elsewhere = Role.serving(new SiteId(2), Tier.PROXY);
        assertThat(after(RoleWord.active(6, 0, elsewhere).ordered(7, 1, APP)).edges())
                .isEmpty();
    }

    @Test
    void shouldSayWhoAndWhatToDo() {
        String text = after(ORDER, new EdgeWord("list", 12, true)).text(CONFIG, node(2));

        assertThat(text)
                .contains(
                        "edge front has not said what it runs; is `./retier edge --edge front` running, does it reach")
                .contains("127.0.0.1:0")
                .contains("edge list still sends to it by stamp 12")
                .contains("does its file take");
        assertThat(after(ORDER, new EdgeWord("list", 12, false)).text(CONFIG, node(2)))
                .contains("edge list still runs stamp 12");
        RoleWord order = RoleWord.active(6, 0, APP).ordered(7, 1, PROXY);
        ClusterView late = view(known(1, RoleWord.active(0, 0, PROXY), Health.UP, 3), known(3, order));
        assertThat(Senders.of(CONFIG, late, Map.of(), order).text(CONFIG, node(3)))
                .isEqualTo("node-1 has not left it out");
    }
}
