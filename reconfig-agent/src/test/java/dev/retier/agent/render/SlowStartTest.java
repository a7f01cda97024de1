package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.ClusterView;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowStartTest {
    private static final Duration NINE_SECONDS = Duration.ofSeconds(9);
    private static final long SECOND = 1_000_000_000;
    private static final ClusterView BEFORE = view(known(1, PROXY), known(2, PROXY), known(3, APP));
    private static final ClusterView AFTER = view(known(1, PROXY), known(2, RoleWord.active(1, 0, APP)), known(3, APP));

    @Test
    void shouldGiveItsWholeShareToWhatWasThereAtTheFirstLook() {
        SlowStart first = SlowStart.none().after(AFTER, 0);
        assertThat(first.weights(NINE_SECONDS, 0)).isEmpty();
    }

    @Test
    void shouldGiveItsWholeShareToWhatIsSeenLater_andWasThereBefore() {
        SlowStart first = SlowStart.none().after(view(known(1, PROXY)), 0).after(BEFORE, SECOND);
        assertThat(first.weights(NINE_SECONDS, SECOND)).isEmpty();
    }

    @Test
    void shouldGiveATenthMoreEachNinth_toANodeThatJoins() {
        SlowStart joined = SlowStart.none().after(BEFORE, 0).after(AFTER, SECOND);
        assertThat(joined.weights(NINE_SECONDS, SECOND)).isEqualTo(Map.of(node(2), 10));
        assertThat(joined.weights(NINE_SECONDS, 2 * SECOND)).isEqualTo(Map.of(node(2), 20));
        assertThat(joined.after(AFTER, 5 * SECOND).weights(NINE_SECONDS, 10 * SECOND - 1))
                .isEqualTo(Map.of(node(2), 90));
        assertThat(joined.weights(NINE_SECONDS, 10 * SECOND)).isEmpty();
        assertThat(joined.weights(Duration.ZERO, SECOND)).isEmpty();
    }

    @Test
    void shouldBeginAnew_whenANodeComesBack() {
        SlowStart back = SlowStart.none().after(AFTER, 0).after(BEFORE, SECOND).after(AFTER, 2 * SECOND);
        assertThat(back.weights(NINE_SECONDS, 2 * SECOND)).isEqualTo(Map.of(node(2), 10));
    }
}
