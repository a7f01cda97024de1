package dev.retier.agent.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.HostPort;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestTargetsTest {
    private static final long SECOND = 1_000_000_000L;

    private final NewestTargets lists = new NewestTargets();

    private static TargetList list(long stamp, int... nodes) {
        List<HostPort> targets = Arrays.stream(nodes)
                .mapToObj(node -> new HostPort("10.0.0." + node, 80))
                .toList();
        return new TargetList(stamp, "shop", targets);
    }

    @Test
    void shouldCount_whenItIsNoOlder() {
        assertThat(lists.counts("a", list(12, 1), 0)).isTrue();
        assertThat(lists.counts("b", list(12, 1, 2), 0)).isTrue();
        assertThat(lists.counts("c", list(13, 2), 0)).isTrue();
    }

    @Test
    void shouldNotCount_whenItIsEmpty() {
        assertThat(lists.counts("a", list(12), 0)).isFalse();
    }

    @Test
    void shouldNotCountAtOnce_whenAnotherAgentHasAnOlderOne() {
        assertThat(lists.counts("a", list(12, 1), 0)).isTrue();
        assertThat(lists.counts("b", list(11, 2), SECOND)).isFalse();
        assertThat(lists.counts("b", list(11, 2), 10 * SECOND)).isFalse();

        assertThat(lists.counts("b", list(11, 2), 11 * SECOND))
                .as("who still says so after ten seconds does not learn of it late")
                .isTrue();
        assertThat(lists.counts("b", list(10, 2), 11 * SECOND)).isTrue();
    }

    @Test
    void shouldCountFromAnew_whenANewerOneHasComeInBetween() {
        assertThat(lists.counts("a", list(12, 1), 0)).isTrue();
        assertThat(lists.counts("b", list(11, 2), SECOND)).isFalse();
        assertThat(lists.counts("a", list(13, 1), 2 * SECOND)).isTrue();
        assertThat(lists.counts("b", list(11, 2), 11 * SECOND)).isFalse();
    }

    /** A node that has lost its journal takes the newest stamp with it. */
    @Test
    void shouldCount_whenTheSameAgentHasAnOlderOne() {
        assertThat(lists.counts("a", list(12, 1), 0)).isTrue();
        assertThat(lists.counts("a", list(10, 2), 0)).isTrue();
    }
}
