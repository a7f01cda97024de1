package dev.retier.agent.view;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static final Epochs EPOCHS = new Epochs(List.of(SHOP, new SiteId(SHOP.value() + 1)));
    private static final RoleWord BEFORE = RoleWord.active(6, 0, APP);
    private static final RoleWord FIRST = BEFORE.ordered(8, 5, PROXY).inBatch(false, true);
    private static final RoleWord SECOND = BEFORE.ordered(10, 5, PROXY).inBatch(true, true);
    private static final RoleWord THIRD = BEFORE.ordered(12, 5, PROXY).inBatch(true, false);

    private static boolean isWhole(RoleWord word, RoleWord... others) {
        NodeView[] views = new NodeView[others.length + 1];
        views[0] = known(1, word);
        for (int i = 0; i < others.length; i++) {
            views[i + 1] = known(i + 2, others[i]);
        }
        return Batches.of(view(views), EPOCHS).isWhole(word);
    }

    @Test
    void shouldBeWhole_whenAllOrdersAreSeen() {
        assertThat(isWhole(BEFORE.ordered(8, 5, PROXY), BEFORE)).as("alone").isTrue();
        assertThat(isWhole(FIRST, SECOND, THIRD)).isTrue();
        assertThat(isWhole(SECOND, THIRD, FIRST.completed()))
                .as("one has ended")
                .isTrue();
        assertThat(isWhole(THIRD, FIRST.rolledBack(), SECOND)).isTrue();
    }

    @Test
    void shouldNotBeWhole_whenOneIsNotSeen() {
        assertThat(isWhole(FIRST, BEFORE, THIRD))
                .as("the second has not landed yet")
                .isFalse();
        assertThat(isWhole(SECOND, BEFORE, THIRD)).as("the first has not").isFalse();
        assertThat(isWhole(SECOND, FIRST, BEFORE)).as("the third has not").isFalse();
        assertThat(isWhole(SECOND, FIRST, BEFORE.ordered(12, 5, PROXY)))
                .as("another order has its epoch")
                .isFalse();
    }

    @Test
    void shouldBeTogether_whenTheBatchIsOne() {
        RoleWord next = BEFORE.ordered(14, 5, PROXY).inBatch(false, true);
        RoleWord last = BEFORE.ordered(16, 5, PROXY).inBatch(true, false);
        Batches batches = Batches.of(
                view(known(1, FIRST), known(2, SECOND), known(3, THIRD), known(4, next), known(5, last)), EPOCHS);

        assertThat(batches.areTogether(FIRST, THIRD)).isTrue();
        assertThat(batches.areTogether(next, last)).isTrue();
        assertThat(batches.areTogether(THIRD, next)).isFalse();
        assertThat(Batches.of(view(known(1, FIRST), known(2, SECOND)), EPOCHS).areTogether(FIRST, SECOND))
                .as("not all of it is seen")
                .isFalse();
    }

    @Test
    void shouldNotGiveItsStamp_whenABatchIsSeenInPart() {
        assertThat(view(known(1, FIRST), known(2, SECOND), known(3, BEFORE)).stamp(SHOP, EPOCHS))
                .isEqualTo(Stamps.ended(6));
        assertThat(view(known(1, FIRST), known(2, SECOND), known(3, THIRD)).stamp(SHOP, EPOCHS))
                .isEqualTo(Stamps.ordered(12));
    }
}
