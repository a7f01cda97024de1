package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Fence;
import dev.retier.state.RoleWord;
import dev.retier.state.StateMetric;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoleSwapperTest {
    private static final NodeId TWO = new NodeId(2);
    private static final NodeId THREE = new NodeId(3);
    private static final Fence.Change CHANGE = new Fence.Change(MemoryCell.WORD, MemoryCell.WORD.fenced());

    private final MemoryCell cell = new MemoryCell();
    private final RoleSwapper swapper = new RoleSwapper(cell.local, cell.sessions());

    RoleSwapperTest() throws IOException {}

    @Test
    void shouldWinOnceAndThenLose_whenTheWordIsAsExpected() {
        assertThat(swapper.swap(Map.of(TWO, CHANGE))).isEqualTo(Map.of(TWO, new CasOutcome.Won()));
        assertThat(cell.memory(2).role()).isEqualTo(new RoleWord.Valid(CHANGE.next()));
        assertThat(swapper.swap(Map.of(TWO, CHANGE))).isEqualTo(Map.of(TWO, new CasOutcome.Lost(CHANGE.next())));
    }

    /** More often than a connection has buffers, at a node before and at one behind the forged one. */
    @Test
    void shouldGiveEveryBufferBack_whenAWordIsNone() {
        cell.slot(2).set(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET, 0);
        for (int i = 0; i <= Session.DEPTH; i++) {
            assertThat(swapper.swap(Map.of(TWO, CHANGE, THREE, CHANGE)).get(TWO))
                    .isEqualTo(new CasOutcome.Malformed(0));
        }
        assertThat(swapper.swap(Map.of(THREE, CHANGE)).get(THREE)).isEqualTo(new CasOutcome.Lost(CHANGE.next()));
    }

    @Test
    void shouldSayUnresolved_whenTheAnswerIsLate() {
        cell.world.hold(Kind.ATOMIC);

        assertThat(swapper.swap(Map.of(TWO, CHANGE)).get(TWO))
                .isEqualTo(new CasOutcome.Unresolved("no answer within the read deadline"));
        assertThat(cell.count(StateMetric.SWAPS_UNRESOLVED)).isEqualTo(1);
    }

    @Test
    void shouldSayUnreachable_whenNothingWentOut() {
        cell.disconnect(2);
        assertThat(swapper.swap(Map.of(TWO, CHANGE)).get(TWO))
                .isEqualTo(new CasOutcome.Unreachable("node-2 is not connected"));
        cell.world.hold(Kind.ATOMIC);
        for (int i = 0; i < Session.DEPTH; i++) {
            swapper.swap(Map.of(THREE, CHANGE));
        }

        assertThat(swapper.swap(Map.of(THREE, CHANGE)).get(THREE))
                .isEqualTo(new CasOutcome.Unreachable("node-3 has 16 operations under way already"));
    }

    @Test
    void shouldRefuse_whenTheNodeIsNotOfTheCell() {
        assertThatThrownBy(() -> swapper.swap(Map.of(new NodeId(9), CHANGE))).hasMessageContaining("not in this cell");
    }
}
