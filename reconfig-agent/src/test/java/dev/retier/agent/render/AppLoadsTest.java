package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.Timing;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AppLoadsTest {
    private static final LoadRecord BUSY = new LoadRecord(7, Health.UP, 0.75, 0, 0, 90, 4, 1000, 0);
    private static final RoleWord IS_APP = RoleWord.active(0, 0, APP);
    private static final NodeView APP_2 = new NodeView.Known(node(2), IS_APP, BUSY);

    private static Optional<Loads> told(NodeView self, NodeView... others) {
        NodeView[] all = new NodeView[others.length + 1];
        all[0] = self;
        System.arraycopy(others, 0, all, 1, others.length);
        ClusterView view = view(all);
        return AppLoads.of(view, self.id(), Timing.DEFAULTS, AppLoadsTest::name, 5);
    }

    /** In node 9 nobody counts. */
    private static Optional<String> name(NodeId id) {
        return id.value() == 9 ? Optional.empty() : Optional.of("n" + id.value());
    }

    private static Loads ofAppTwo() {
        return new Loads(5, 200_000_000, 1_000_000_000, List.of(new AppLoad("n2", 4, 0.75, 90, 1000)));
    }

    /** Neither none nor its connections are the requests that it holds. */
    @Test
    void shouldLeaveOutAnAppThatCountsNoRequests() {
        assertThat(told(known(1, PROXY), APP_2, new NodeView.Known(node(9), IS_APP, BUSY)))
                .contains(ofAppTwo());
    }

    @Test
    void shouldTellAProxyTheLoadsOfItsApps_andNoOthers() {
        RoleWord elsewhere = RoleWord.active(0, 0, Role.serving(new SiteId(2), Tier.APP));
        NodeView other = new NodeView.Known(node(3), elsewhere, BUSY);
        assertThat(told(known(1, PROXY), APP_2, other, known(4, PROXY))).contains(ofAppTwo());
    }

    @Test
    void shouldTellANodeThatBecomesOrWasAProxy() {
        assertThat(told(known(1, IS_APP.ordered(1, 1, PROXY)), APP_2)).contains(ofAppTwo());
        RoleWord leaving = RoleWord.active(0, 0, PROXY).ordered(1, 1, APP);
        assertThat(told(known(1, leaving), APP_2)).contains(ofAppTwo());
    }

    @Test
    void shouldTellAnAppNothing() {
        assertThat(told(known(1, APP), APP_2)).isEmpty();
    }

    @Test
    void shouldLeaveOutAnAppOfWhichNobodyKnows() {
        NodeView silent =
                new NodeView.Silent(node(3), IS_APP, BUSY, SlotReading.Reason.STALE, NodeView.Silence.UNKNOWN);
        NodeView mute = new NodeView.Known(node(4), IS_APP, new LoadRecord(7, Health.MUTE, 0.75, 0, 0, 90, 4, 1000, 0));
        assertThat(told(known(1, PROXY), APP_2, silent, mute)).contains(ofAppTwo());
    }
}
