package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The move lock of one witness over real soft-iwarp; {@link VerbsSharedStateTest} has the rest of it in memory. */
@Timeout(120)
class MoveLockIT {
    private final Cell cell = new Cell(3, 1);

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldGiveTheLockToOneAtATime_whenItIsReleasedAndWhenItsHolderIsGone() {
        cell.openAll();
        await().until(cell::allKnowAll);
        MoveLease first = acquire(2);

        assertThat(cell.at(3).tryAcquireMoveLock(Cell.SITE))
                .isEqualTo(new LockOutcome.Held(Cell.node(2), first.term()));
        assertThat(first.renew()).isTrue();
        assertThat(first.isSafe()).isTrue();
        first.release();
        assertThat(first.isSafe()).isFalse();
        MoveLease second = acquire(3);
        assertThat(second.term()).isGreaterThan(first.term());
        cell.close(3);
        assertThat(acquire(2).term()).isGreaterThan(second.term());
    }

    private MoveLease acquire(int node) {
        LockOutcome outcome = await().until(
                        () -> cell.at(node).tryAcquireMoveLock(Cell.SITE), LockOutcome.Acquired.class::isInstance);
        return ((LockOutcome.Acquired) outcome).lease();
    }
}
