package dev.retier.agent.view;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether looks at single nodes leave no order out that a stamp would speak of. All was seen up to epoch 6. */
class GlanceTest {
    private static final Epochs EPOCHS = new Epochs(List.of(SHOP));
    private static final RoleWord BEFORE = RoleWord.active(6, 0, APP);

    private static boolean isUnbroken(RoleWord... words) {
        NodeView[] views = new NodeView[words.length];
        for (int i = 0; i < words.length; i++) {
            views[i] = known(i + 1, words[i]);
        }
        return view(views).isUnbrokenFrom(6, EPOCHS);
    }

    private static RoleWord order(long epoch) {
        return BEFORE.ordered(epoch, 1, PROXY);
    }

    @Test
    void shouldBeUnbroken_whenEachOrderFollowsOneThatWasSeen() {
        assertThat(isUnbroken(BEFORE)).isTrue();
        assertThat(isUnbroken(BEFORE, order(7))).isTrue();
        assertThat(isUnbroken(order(7).completed(), order(8))).isTrue();
    }

    @Test
    void shouldBeBroken_whenAnOrderBeforeItWasNotSeen() {
        assertThat(isUnbroken(BEFORE, order(8))).isFalse();
        assertThat(isUnbroken(BEFORE, order(8).completed())).isFalse();
        assertThat(isUnbroken(order(7), order(9))).isFalse();
    }

    @Test
    void shouldClaimNothing_whileABatchIsSeenInPart() {
        RoleWord second = order(8).inBatch(true, true);
        RoleWord third = order(9).inBatch(true, false);
        assertThat(isUnbroken(BEFORE, second, third)).isTrue();
        assertThat(isUnbroken(order(7).inBatch(false, true), second, third)).isTrue();
        assertThat(isUnbroken(BEFORE, second, third, order(10)))
                .as("the next order's stamp would speak of the first of the batch")
                .isFalse();
    }
}
