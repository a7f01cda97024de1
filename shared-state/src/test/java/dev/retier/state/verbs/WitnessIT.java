package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.SharedState;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The move lock on several witnesses of which some are killed and restarted. */
@Timeout(180)
class WitnessIT {
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void shouldGoOnWithAMajority_whenWitnessesComeAndGo(int witnesses) {
        try (Cell cell = new Cell(6, witnesses)) {
            cell.openAll();
            await().until(cell::allKnowAll);
            SharedState holder = cell.at(6);
            MoveLease first = acquire(holder);

            int minority = witnesses / 2;
            for (int witness = 1; witness <= minority; witness++) {
                cell.close(witness);
            }
            assertThat(first.renew()).as("with a majority left").isTrue();
            first.release();
            MoveLease second = acquire(holder);
            assertThat(second.term()).isGreaterThan(first.term());
            second.release();

            cell.close(minority + 1);
            await().until(() -> holder.tryAcquireMoveLock(Cell.SITE) instanceof LockOutcome.Unavailable);
            cell.open(1).publish(Cell.LOAD);
            assertThat(acquire(holder).term()).as("a majority is back").isGreaterThan(second.term());
        }
    }

    private static MoveLease acquire(SharedState state) {
        LockOutcome outcome =
                await().until(() -> state.tryAcquireMoveLock(Cell.SITE), LockOutcome.Acquired.class::isInstance);
        return ((LockOutcome.Acquired) outcome).lease();
    }
}
