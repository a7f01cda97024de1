package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FenceTest {
    private static final SiteId SITE = new SiteId(2);
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);
    private static final RoleWord APP = RoleWord.active(3, 0, Role.serving(SITE, Tier.APP));
    private static final RoleWord STAMPED = APP.fenced();

    private boolean isSafe = true;
    private int rounds;

    private Map<NodeId, RoleWord> fence(Map<NodeId, RoleWord> read, Function<Fence.Change, CasOutcome> answer) {
        return Fence.set(() -> isSafe, read, changes -> {
            rounds++;
            Map<NodeId, CasOutcome> outcomes = new TreeMap<>();
            changes.forEach((node, change) -> outcomes.put(node, answer.apply(change)));
            return outcomes;
        });
    }

    @Test
    void shouldStampAll_whenNothingHasChanged() {
        assertThat(fence(Map.of(ONE, APP, TWO, APP), _ -> new CasOutcome.Won()))
                .isEqualTo(Map.of(ONE, STAMPED, TWO, STAMPED));
        assertThat(rounds).isEqualTo(1);
    }

    @Test
    void shouldStampTheActualWord_whenItHadChanged() {
        RoleWord actual = RoleWord.active(4, 0, Role.SPARE);

        assertThat(fence(
                        Map.of(ONE, APP),
                        change ->
                                change.expected().equals(actual) ? new CasOutcome.Won() : new CasOutcome.Lost(actual)))
                .isEqualTo(Map.of(ONE, actual.fenced()));
    }

    @Test
    void shouldLeaveANodeOnItsWayAlone_whenItIsReadOrFound() {
        RoleWord ordered = APP.ordered(4, 1, Role.SPARE);

        assertThat(fence(Map.of(ONE, ordered), _ -> new CasOutcome.Won())).isEmpty();
        assertThat(rounds).isZero();
        assertThat(fence(Map.of(ONE, APP), _ -> new CasOutcome.Lost(ordered))).isEmpty();
        assertThat(rounds).isEqualTo(1);
    }

    @Test
    void shouldLeaveANodeOut_whenItIsNotReached() {
        assertThat(fence(Map.of(ONE, APP), _ -> new CasOutcome.Unresolved("?"))).isEmpty();
        assertThat(fence(Map.of(ONE, APP), _ -> new CasOutcome.Unreachable("down")))
                .isEmpty();
    }

    @Test
    void shouldLeaveANodeOut_whenItsWordIsMalformed() {
        assertThat(fence(Map.of(ONE, APP), _ -> new CasOutcome.Malformed(0))).isEmpty();
        assertThat(rounds).isEqualTo(1);
    }

    @Test
    void shouldStop_whenTheWordKeepsChangingOrTheLeaseRunsOut() {
        assertThat(fence(Map.of(ONE, APP), change -> new CasOutcome.Lost(change.next())))
                .isEmpty();
        assertThat(rounds).isEqualTo(3);
        isSafe = false;
        assertThat(fence(Map.of(ONE, APP), _ -> new CasOutcome.Won())).isEmpty();
        assertThat(rounds).isEqualTo(3);
    }
}
