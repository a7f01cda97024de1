package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The move lock of one witness over real soft-iwarp. */
@Timeout(120)
class MoveLockIT {
    /** The lease is six times as long. */
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final Cell cell = new Cell(3, 1, DEADLINE);

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldGiveTheLockToOneAtATime_whenTwoWantIt() {
        openAll();
        MoveLease first = acquire(2);

        assertThat(cell.at(3).tryAcquireMoveLock(Cell.SITE))
                .isEqualTo(new LockOutcome.Held(Cell.node(2), first.term()));
        assertThat(first.renew()).isTrue();
        assertThat(first.isSafe()).isTrue();
        first.release();
        assertThat(first.isSafe()).isFalse();
        assertThat(acquire(3).term()).isGreaterThan(first.term());
    }

    @Test
    void shouldGiveNoLock_whenTheWitnessHasJustStarted() {
        openAll();

        assertThat(cell.at(2).tryAcquireMoveLock(Cell.SITE))
                .isInstanceOfSatisfying(
                        LockOutcome.Held.class,
                        held -> assertThat(held.holder()).isEqualTo(Cell.node(1)));
    }

    @Test
    void shouldRefuseTheOrderOfAnEarlierHolder_whenALaterOneHasFenced() {
        openAll();
        acquire(2).release();
        MoveLease later = acquire(3);
        RoleWord one = word(1);
        RoleWord two = word(2);
        Map<NodeId, RoleWord> fenced = cell.at(3).fence(later, Map.of(Cell.node(1), one, Cell.node(2), two));

        assertThat(fenced).isEqualTo(Map.of(Cell.node(1), one.fenced(), Cell.node(2), two.fenced()));
        assertThat(cell.at(2).compareAndSetRole(Cell.node(1), one, one.ordered(2, 0, Role.SPARE)))
                .isEqualTo(new CasOutcome.Lost(one.fenced()));
    }

    @Test
    void shouldTakeTheLockOver_whenItsHolderIsGoneForTheLease() {
        openAll();
        acquire(2);
        cell.close(2);

        await().until(() -> cell.at(3).tryAcquireMoveLock(Cell.SITE) instanceof LockOutcome.Acquired);
    }

    private void openAll() {
        cell.openAll();
        await().until(cell::allKnowAll);
    }

    private RoleWord word(int node) {
        return cell.word(node);
    }

    private MoveLease acquire(int node) {
        LockOutcome outcome = await().until(
                        () -> cell.at(node).tryAcquireMoveLock(Cell.SITE), LockOutcome.Acquired.class::isInstance);
        return ((LockOutcome.Acquired) outcome).lease();
    }
}
