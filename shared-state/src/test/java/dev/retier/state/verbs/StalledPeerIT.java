package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.LinkMetric;
import dev.retier.link.Metric;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.testsupport.Detour;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that stops in the middle of an operation and closes nothing. */
@Timeout(180)
class StalledPeerIT {
    @Test
    void shouldGoOnWithTheRestAndComeBack_whenAPeerStalls() throws IOException {
        try (Cell cell = new Cell(3, 1);
                Detour detour = new Detour(cell.address(2))) {
            cell.open(2).publish(Cell.LOAD);
            cell.open(3).publish(Cell.LOAD);
            cell.detour(2, detour.address());
            SharedState one = cell.open(1);
            one.publish(Cell.LOAD);
            await().until(() -> cell.known(1) == 3);
            RoleWord before = cell.word(2);

            detour.block();
            RoleWord wanted = before.fenced();
            assertThat(one.compareAndSetRole(Cell.node(2), before, wanted)).isInstanceOf(CasOutcome.Unresolved.class);
            await().until(() -> one.look().get(Cell.node(3)) instanceof SlotReading.Known);
            await().until(() -> metric(one, LinkMetric.CONNECTIONS_STALLED) == 1);
            assertThat(one.look().get(Cell.node(2))).isInstanceOf(SlotReading.Unknown.class);
            assertThat(cell.known(1)).isEqualTo(2);
            assertThat(metric(one, StateMetric.SWAPS_UNRESOLVED)).isEqualTo(1);

            detour.unblock();
            await().until(() -> cell.known(1) == 3);
            RoleWord after = cell.word(2);
            assertThat(after).as("resolved by reading").isIn(before, wanted);
            assertThat(one.compareAndSetRole(Cell.node(2), after, after.fenced()))
                    .isEqualTo(new CasOutcome.Won());
        }
    }

    private static long metric(SharedState state, Metric metric) {
        return state.metrics().getOrDefault(metric, -1L);
    }
}
