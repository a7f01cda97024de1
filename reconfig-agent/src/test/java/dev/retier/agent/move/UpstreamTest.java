package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.Stamps;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import org.junit.jupiter.api.Test;

class UpstreamTest {
    private static final RoleWord BEFORE = RoleWord.active(6, 0, APP);
    private static final RoleWord ORDER = BEFORE.ordered(7, 5, PROXY);

    private static NodeView proxy(int id, long stamp) {
        return known(id, RoleWord.active(0, 0, PROXY), Health.UP, stamp);
    }

    @Test
    void shouldNameTheProxies_whenTheyStillRunAnOlderFile() {
        assertThat(Upstream.unproven(
                        view(proxy(1, Stamps.ended(6)), proxy(2, Stamps.ordered(7)), known(3, ORDER)), ORDER))
                .containsExactly(node(1));
    }

    @Test
    void shouldNameNobody_whenTheOldRoleWasAProxys() {
        RoleWord order = RoleWord.active(6, 0, PROXY).ordered(7, 1, APP);

        assertThat(Upstream.unproven(view(proxy(1, 0), known(3, order)), order)).isEmpty();
    }

    @Test
    void shouldTakeNoStampAsProof_whenAnotherOrderHasTheSameEpoch() {
        RoleWord other = BEFORE.ordered(7, 6, PROXY);

        assertThat(Upstream.unproven(view(proxy(1, Stamps.ended(7)), known(2, other), known(3, ORDER)), ORDER))
                .containsExactly(node(1), node(2));
        assertThat(Upstream.unproven(
                        view(proxy(1, Stamps.ended(7)), known(2, other.completed()), known(3, ORDER)), ORDER))
                .containsExactly(node(1), node(2));
        assertThat(Upstream.unproven(view(proxy(1, Stamps.ordered(7)), known(3, ORDER)), ORDER))
                .isEmpty();
    }

    /** It was ordered while nobody heard this node, by somebody who had not seen this order (world 2166). */
    @Test
    void shouldProveNothing_whenALaterOrderOfTheSiteIsThere() {
        RoleWord later = BEFORE.ordered(8, 6, PROXY).completed();
        RoleWord ofAnotherSite = RoleWord.active(1, 1, Role.serving(new SiteId(2), Tier.APP))
                .ordered(8, 6, Role.serving(new SiteId(2), Tier.PROXY));

        assertThat(Upstream.unproven(view(proxy(1, Stamps.ended(8)), known(2, later), known(3, ORDER)), ORDER))
                .contains(node(1));
        assertThat(Upstream.unproven(view(proxy(1, Stamps.ended(8)), known(2, ofAnotherSite), known(3, ORDER)), ORDER))
                .isEmpty();
    }
}
