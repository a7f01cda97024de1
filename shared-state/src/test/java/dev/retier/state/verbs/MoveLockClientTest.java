package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.StateMetric;
import dev.retier.state.lock.LockWord;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The move lock and its witnesses 2, 3 and 4, as node 1 drives them. */
class MoveLockClientTest {
    private static final NodeId TWO = new NodeId(2);
    private static final long TERM = 7;
    private static final LockWord NEVER_HELD = new LockWord(0, 0, 0);

    private final MemoryCell cell = new MemoryCell();
    private final MoveLockClient lock =
            new MoveLockClient(cell.local, MemoryCell.SITE, new Witnesses(cell.local, cell.sessions()));

    MoveLockClientTest() throws IOException {}

    @Test
    void shouldWaitALeaseAfterTheWitnessesStart_whenItWantsTheLock() {
        assertThat(lock.tryAcquire()).isInstanceOf(LockOutcome.Held.class);
        cell.nowNanos += MemoryCell.LEASE.toNanos() - 1;
        assertThat(lock.tryAcquire()).isInstanceOf(LockOutcome.Held.class);

        cell.nowNanos++;

        assertThat(acquired().term()).isEqualTo(TERM + 1);
        assertThat(cell.lockWord(2)).isEqualTo(LockWord.heldBy(MemoryCell.SELF, TERM + 1));
        assertThat(cell.count(StateMetric.LOCKS_TAKEN)).isEqualTo(1);
    }

    @Test
    void shouldActForTwoThirdsOfTheLease_whenItHasTheLock() {
        MoveLease lease = free();
        cell.nowNanos += MemoryCell.LEASE.toNanos() * 2 / 3 - 1;
        assertThat(lease.isSafe()).isTrue();
        assertThat(lease.renew()).isTrue();
        cell.nowNanos += MemoryCell.LEASE.toNanos() * 2 / 3 - 1;
        assertThat(lease.isSafe()).isTrue();

        cell.nowNanos++;

        assertThat(lease.isSafe()).isFalse();
    }

    @Test
    void shouldGiveItUp_whenReleased() {
        MoveLease lease = free();

        lease.release();

        assertThat(lease.isSafe()).isFalse();
        assertThat(lease.renew()).isFalse();
        assertThat(cell.lockWord(3)).isEqualTo(new LockWord(1, 0, 0));
    }

    @Test
    void shouldGoOnWithTwo_whenOneWitnessIsAwayOrSilent() {
        cell.disconnect(4);
        MoveLease lease = free();

        assertThat(lease.renew()).isTrue();
        cell.disconnect(3);
        assertThat(lease.renew()).isFalse();
        assertThat(lock.tryAcquire()).isEqualTo(new LockOutcome.Unavailable("1 witnesses answered, 2 are needed"));
    }

    /** What was posted may still land: this node undoes it, and does not think that it has the lock. */
    @Test
    void shouldNotHaveTheLock_whenTheSwapsAreNotAnswered() {
        setAll(NEVER_HELD);
        cell.world.hold(Kind.ATOMIC);
        assertThat(lock.tryAcquire())
                .isEqualTo(new LockOutcome.Unavailable("a majority of the witnesses did not answer"));

        cell.world.release();

        assertThat(cell.lockWord(2)).isEqualTo(new LockWord(1, 0, 0));
    }

    @Test
    void shouldCountAndNotBelieve_whenALookSeesAForgedWord() {
        LockWord forged = LockWord.heldBy(new NodeId(99), LockWord.MAX_TERM);
        setAll(forged);
        lock.observe(0, forged);

        assertThat(cell.count(StateMetric.LOCK_WORDS_REFUSED)).isEqualTo(1);
        assertThat(lock.tryAcquire())
                .isEqualTo(new LockOutcome.Unavailable(
                        "term 4294967295 of a move lock is far ahead of any that was given"));
        cell.nowNanos += MemoryCell.LEASE.toNanos();
        assertThat(acquired().term()).isEqualTo(1);
    }

    /** A reader must not wait for whoever waits for witnesses. */
    @Test
    void shouldLetOthersIn_whenAnOperationIsOver() throws InterruptedException, ExecutionException {
        MoveLease lease = free();
        lock.observe(0, cell.lockWord(2));
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertThat(other.submit(lock::tryAcquire).get())
                    .isEqualTo(new LockOutcome.Held(MemoryCell.SELF, lease.term()));
        }
    }

    @Test
    void shouldHaveWaitedAlready_whenLooksHaveSeenTheWords() {
        for (int witness = 0; witness < 3; witness++) {
            lock.observe(witness, cell.lockWord(2 + witness));
        }
        assertThat(cell.lockWord(2).holder()).contains(TWO);
        cell.nowNanos += MemoryCell.LEASE.toNanos();

        assertThat(acquired().term()).isEqualTo(TERM + 1);
    }

    private MoveLease free() {
        setAll(NEVER_HELD);
        return acquired();
    }

    private void setAll(LockWord word) {
        for (int node = 2; node <= 4; node++) {
            cell.lockWord(node, word);
        }
    }

    private MoveLease acquired() {
        LockOutcome outcome = lock.tryAcquire();
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return ((LockOutcome.Acquired) outcome).lease();
    }
}
