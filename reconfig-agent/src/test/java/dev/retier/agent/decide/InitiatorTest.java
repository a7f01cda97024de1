package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.util.List;
import org.junit.jupiter.api.Test;

class InitiatorTest {
    private static final Decision.Change MOVE =
            Decision.Change.of(SHOP, new Decision.Move(SHOP, node(4), APP, PROXY, MoveReason.PRESSURE, "figures"));
    private static final NodeView.Known PROXY_2 = known(2, RoleWord.active(0, 0, PROXY));
    private static final NodeView.Known APP_1 = known(1, RoleWord.active(0, 0, APP));
    private static final NodeView.Known APP_4 = known(4, RoleWord.active(0, 0, APP));

    private static List<Integer> makers(NodeView... nodes) {
        ClusterView view = ClusterView.of(List.of(nodes));
        return view.nodes().keySet().stream()
                .filter(id -> Initiator.mayMake(id, view, MOVE))
                .map(id -> id.value())
                .toList();
    }

    @Test
    void shouldLeaveItToTheMembersOfTheTierThatReceives() {
        assertThat(makers(APP_1, PROXY_2, known(3, RoleWord.active(0, 0, PROXY)), APP_4))
                .containsExactly(2, 3);
    }

    @Test
    void shouldLeaveItToTheFirstNode_whenNobodyKnownIsInThatTier() {
        assertThat(makers(APP_1, APP_4)).containsExactly(1);
        NodeView silent = new NodeView.Silent(
                node(2), PROXY_2.word(), PROXY_2.load(), SlotReading.Reason.NOT_CONNECTED, Silence.UNKNOWN);
        assertThat(makers(APP_1, silent, APP_4)).containsExactly(1);
    }
}
