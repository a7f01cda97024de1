package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacitiesTest {
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);

    @Test
    void shouldWeighMachinesByTheSmallest() {
        assertThat(new Capacities(Map.of(ONE, 500.0, TWO, 1250.0)).weights())
                .containsExactlyInAnyOrderEntriesOf(Map.of(ONE, 100, TWO, 250));
        assertThat(Capacities.NONE.weights()).isEmpty();
    }

    private static NodeView.Known able(int id, double units) {
        return new NodeView.Known(
                node(id), RoleWord.active(0, 0, APP), new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, units, 0));
    }

    @Test
    void shouldKeepWhatASilentNodeHasSaid() {
        Capacities both = Capacities.NONE.after(view(able(1, 500), able(2, 1250)));
        assertThat(both.after(view(able(1, 500)))).isEqualTo(both);
    }

    @Test
    void shouldFollowAMachineThatChanges_butNotAsMuchAsNoise() {
        Capacities first = Capacities.NONE.after(view(able(1, 500), able(2, 500)));
        assertThat(first.after(view(able(1, 500), able(2, 540)))).isSameAs(first);
        assertThat(first.after(view(able(1, 500), able(2, 1000))).weights())
                .containsExactlyInAnyOrderEntriesOf(Map.of(ONE, 100, TWO, 200));
        assertThat(first.after(view(able(1, 500), able(2, 0)))).as("not told").isSameAs(first);
    }
}
