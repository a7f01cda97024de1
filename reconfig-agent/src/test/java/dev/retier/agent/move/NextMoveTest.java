package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import org.junit.jupiter.api.Test;

/** Nothing of a move is left to the next one of the same node. */
class NextMoveTest extends VictimRig {
    @Test
    void shouldGoBackAtOnce_whenTheMoveBeforeWasFoundInTheSwitch() {
        RoleWord found = RoleWord.active(5, 3, PROXY).ordered(9, 4, APP);
        after(0, new VictimEvent.Found(found, MovePhase.SWITCHING));
        server(1, "app", 19, 0, null);
        after(1, new VictimEvent.Proof(true));
        after(1, new VictimEvent.Answered(new CasOutcome.Won()));
        assertThat(victim.isIdle()).isTrue();

        untilRecording();
        after(0, new VictimEvent.Journalled(true));
        assertThat(after(0, new VictimEvent.NotWritten(RollbackReason.WRITE_FAILED)))
                .containsExactly(writeOld());
    }
}
