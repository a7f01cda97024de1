package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.Batches;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.Stamps;
import dev.retier.link.NodeId;
import dev.retier.state.Epochs;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpstreamTest {
    private static final Epochs EPOCHS = new Epochs(List.of(SHOP));
    private static final RoleWord BEFORE = RoleWord.active(6, 0, APP);
    private static final RoleWord ORDER = BEFORE.ordered(7, 5, PROXY);

    private static NodeView proxy(int id, long stamp) {
        return known(id, RoleWord.active(0, 0, PROXY), Health.UP, stamp);
    }

    private static List<NodeId> unproven(ClusterView view, RoleWord order) {
        return Upstream.unproven(view, Batches.of(view, EPOCHS), order);
    }

    @Test
    void shouldNameTheProxies_whenTheyStillRunAnOlderFile() {
        assertThat(unproven(view(proxy(1, Stamps.ended(6)), proxy(2, Stamps.ordered(7)), known(3, ORDER)), ORDER))
                .containsExactly(node(1));
    }

    @Test
    void shouldNameNobody_whenTheOldRoleWasAProxys() {
        RoleWord order = RoleWord.active(6, 0, PROXY).ordered(7, 1, APP);

        assertThat(unproven(view(proxy(1, 0), known(3, order)), order)).isEmpty();
    }

    @Test
    void shouldTakeNoStampAsProof_whenAnotherOrderHasTheSameEpoch() {
        RoleWord other = BEFORE.ordered(7, 6, PROXY);

        assertThat(unproven(view(proxy(1, Stamps.ended(7)), known(2, other), known(3, ORDER)), ORDER))
                .containsExactly(node(1), node(2));
        assertThat(unproven(view(proxy(1, Stamps.ended(7)), known(2, other.completed()), known(3, ORDER)), ORDER))
                .containsExactly(node(1), node(2));
        assertThat(unproven(view(proxy(1, Stamps.ordered(7)), known(3, ORDER)), ORDER))
                .isEmpty();
    }

    /** It was ordered while nobody heard this node, by somebody who had not seen this order (world 2166). */
    @Test
    void shouldProveNothing_whenALaterOrderOfTheSiteIsThere() {
        RoleWord later = BEFORE.ordered(8, 6, PROXY).completed();
        RoleWord ofAnotherSite = RoleWord.active(1, 1, Role.serving(new SiteId(2), Tier.APP))
                .ordered(8, 6, Role.serving(new SiteId(2), Tier.PROXY));

        assertThat(unproven(view(proxy(1, Stamps.ended(8)), known(2, later), known(3, ORDER)), ORDER))
                .contains(node(1));
        assertThat(unproven(view(proxy(1, Stamps.ended(8)), known(2, ofAnotherSite), known(3, ORDER)), ORDER))
                .isEmpty();
    }

    /** A file has the stamp of a batch only if it was made after all of it was seen. */
    @Test
    void shouldTakeTheStampOfItsBatchAsProof_whenItsOwnOrderIsNotTheLast() {
        RoleWord first = BEFORE.ordered(7, 5, PROXY).inBatch(false, true);
        RoleWord last = BEFORE.ordered(8, 5, PROXY).inBatch(true, false);

        assertThat(unproven(view(proxy(1, Stamps.ended(6)), known(2, first), known(3, last)), first))
                .containsExactly(node(1));
        assertThat(unproven(view(proxy(1, Stamps.ordered(8)), known(2, first), known(3, last)), first))
                .as("the other one makes no file of a proxy before it has seen this order")
                .isEmpty();
        assertThat(unproven(view(proxy(1, Stamps.ordered(8)), known(2, first), known(3, last)), last))
                .isEmpty();
        NodeView older = known(3, last.completed(), Health.UP, Stamps.ended(6));
        assertThat(unproven(view(proxy(1, Stamps.ordered(8)), known(2, first), older), first))
                .as("by now it must have a file of the batch, and says nothing of it")
                .containsExactly(node(3));
    }

    @Test
    void shouldProveNothing_whenALaterOrderIsOfAnotherBatch() {
        RoleWord later = BEFORE.ordered(8, 5, PROXY).inBatch(true, false);

        assertThat(unproven(view(proxy(1, Stamps.ordered(8)), known(2, later), known(3, ORDER)), ORDER))
                .contains(node(1));
    }
}
