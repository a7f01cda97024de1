package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.Stamps;
import dev.retier.state.RoleWord;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an agent makes of announcements: it looks at those who made them, and at all only when it must. */
class GlanceLoopTest extends LoopRig {
    private static final RoleWord BEFORE = RoleWord.active(0, 0, APP);

    private void announced(int id, RoleWord word) {
        words.put(node(id), word);
        nowNanos += MS;
        glanced(node(id));
    }

    @Test
    void shouldPostOtherTargets_whenAnOrderedProxySaysSo() {
        begin();
        RoleWord proxy = RoleWord.active(0, 0, PROXY);
        words.put(node(3), proxy);
        due();
        looked();
        wanted.clear();

        announced(3, proxy.ordered(1, 0, APP));

        assertThat(next(LoopEffect.Post.class).list().stamp()).isEqualTo(Stamps.ordered(1));
        assertThat(all(LoopEffect.Look.class)).isEmpty();
    }

    @Test
    void shouldLookAtAll_whenAnOrderBeforeItWasNotSeen() {
        begin();
        words.put(node(4), BEFORE.ordered(1, 0, PROXY));
        wanted.clear();

        announced(3, BEFORE.ordered(2, 0, PROXY));

        assertThat(all(LoopEffect.Post.class))
                .as("nothing that would pass for newer")
                .isEmpty();
        assertThat(loop.view().word(node(3))).contains(BEFORE);
        looked();
        assertThat(loop.view().word(node(4))).contains(BEFORE.ordered(1, 0, PROXY));
    }

    @Test
    void shouldLookWhenTheMembersHaveSettled_andNotBefore() {
        begin();
        nowNanos += 150 * MS;
        due();
        looked();
        nowNanos += 10 * MS;
        announced(3, BEFORE.ordered(1, 0, PROXY));
        long settledNanos = nowNanos + CONFIG.timing().settling().toNanos();

        woken();
        assertThat(nowNanos).as("S after the last look").isLessThan(settledNanos);
        looked();
        woken();

        assertThat(nowNanos).isEqualTo(settledNanos);
    }

    @Test
    void shouldTellAllThatItIsOrdered_whenTheMoverHasWokenIt() {
        begin();
        wanted.clear();
        own = new RoleWord.Valid(BEFORE.ordered(1, 0, PROXY));
        on(new LoopEvent.Woken(new Surroundings(own, 0, 0), Set.of(node(4))));
        on(new LoopEvent.Glanced(new Surroundings(own, 0, 0), Map.of()));

        assertThat(all(LoopEffect.Announce.class)).hasSize(1);
    }
}
