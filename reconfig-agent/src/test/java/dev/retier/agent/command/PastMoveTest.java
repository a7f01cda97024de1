package dev.retier.agent.command;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PastMoveTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final RoleWord FIRST = RoleWord.active(0, 1, APP).ordered(1, 1, PROXY);
    private static final RoleWord SECOND = FIRST.completed().ordered(2, 1, APP);

    private static PastMove.Entry entry(long millis, RoleWord word, MovePhase phase, @Nullable RollbackReason reason) {
        return new PastMove.Entry(START.plusMillis(millis), new MoveRecord(word, phase, reason));
    }

    @Test
    void shouldTellEachMoveWithItsPhases() {
        List<PastMove> moves = PastMove.of(List.of(
                entry(0, FIRST, MovePhase.ORDERED, null),
                entry(40, FIRST, MovePhase.DRAINED, null),
                entry(90, FIRST, MovePhase.ACTIVE, null),
                entry(5_000, SECOND, MovePhase.ORDERED, null),
                entry(5_020, SECOND, MovePhase.ROLLED_BACK, RollbackReason.UPSTREAM_NOT_PROVEN)));

        assertThat(moves).hasSize(2);
        assertThat(moves.getFirst().end()).isEqualTo(MovePhase.ACTIVE);
        assertThat(moves.getFirst().took()).isEqualTo(Duration.ofMillis(90));
        assertThat(moves.getFirst().phases()).containsEntry(MovePhase.DRAINED, Duration.ofMillis(40));
        assertThat(moves.getLast().at()).isEqualTo(START.plusSeconds(5));
        assertThat(moves.getLast().reason()).isEqualTo(RollbackReason.UPSTREAM_NOT_PROVEN);
    }

    @Test
    void shouldShowHowFarItCame_whenItHasNotEnded() {
        PastMove move =
                PastMove.of(List.of(entry(0, FIRST, MovePhase.ORDERED, null))).getFirst();
        assertThat(move.end()).isEqualTo(MovePhase.ORDERED);
        assertThat(move.took()).isZero();
    }
}
