package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;

import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.testsupport.Repeats;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Slot reads and role swaps over real soft-iwarp, by two nodes and the slot's own: each is as if it had happened in one
 * moment between its call and its return.
 */
@Tag("lincheck")
@Param(name = "word", gen = IntGen.class, conf = "0:2")
public class RemoteLinearizabilityIT {
    private static final NodeId TARGET = Cell.node(2);
    private static final SharedCell CELL = new SharedCell();
    private static final long EPOCHS_PER_LIFE = 10;
    private static final int MAX_LOOKS = 1000;

    private final long firstEpoch;
    private final long firstHeartbeat;

    /** One cell for all invocations: what came before is subtracted. */
    public RemoteLinearizabilityIT() {
        firstEpoch = CELL.newLife();
        firstHeartbeat = known(CELL.one).heartbeat();
    }

    @Operation
    public boolean swapFromOne(@Param(name = "word") int expected, @Param(name = "word") int next) {
        return swap(CELL.one, expected, next);
    }

    @Operation
    public boolean swapFromTarget(@Param(name = "word") int expected, @Param(name = "word") int next) {
        return swap(CELL.target, expected, next);
    }

    @Operation
    public int roleSeenByThree() {
        return (int) (known(CELL.three).roleWord().epoch() - firstEpoch);
    }

    @Operation
    public int roleSeenByTarget() {
        return (int) (Cell.word(CELL.target).epoch() - firstEpoch);
    }

    @Operation
    public void publish() {
        CELL.target.publish(Cell.LOAD);
    }

    @Operation
    public int heartbeatSeenByOne() {
        return (int) (known(CELL.one).heartbeat() - firstHeartbeat);
    }

    @Test
    @Timeout(1800)
    void shouldBeLinearizable_whenThreeNodesReadAndSwap() {
        new StressOptions()
                .iterations(Repeats.of(8))
                .invocationsPerIteration(40)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Registers.class)
                .check(RemoteLinearizabilityIT.class);
        CELL.close();
    }

    private boolean swap(SharedState from, int expected, int next) {
        return switch (from.compareAndSetRole(TARGET, word(expected), word(next))) {
            case CasOutcome.Won _ -> true;
            case CasOutcome.Lost _ -> false;
            case CasOutcome.Malformed(long bits) -> throw new IllegalStateException(Long.toHexString(bits));
            case CasOutcome.Unreachable failed -> throw new IllegalStateException(failed.reason());
            case CasOutcome.Unresolved failed -> throw new IllegalStateException(failed.reason());
        };
    }

    private RoleWord word(int number) {
        return RoleWord.active(firstEpoch + number, 0, Role.SPARE);
    }

    /** A look that tells nothing, such as a late one on a busy machine, is not an operation: another one is. */
    private static SlotReading.Known known(SharedState from) {
        for (int i = 0; i < MAX_LOOKS; i++) {
            if (from.look().get(TARGET) instanceof SlotReading.Known known) {
                return known;
            }
        }
        throw new IllegalStateException(MAX_LOOKS + " looks told nothing of " + TARGET);
    }

    /** A role word that starts at 0 and a count of what was published. */
    public static final class Registers {
        private int role;
        private int heartbeat;

        public boolean swapFromOne(int expected, int next) {
            boolean isWon = role == expected;
            role = isWon ? next : role;
            return isWon;
        }

        public boolean swapFromTarget(int expected, int next) {
            return swapFromOne(expected, next);
        }

        public int roleSeenByThree() {
            return role;
        }

        public int roleSeenByTarget() {
            return role;
        }

        public void publish() {
            heartbeat++;
        }

        public int heartbeatSeenByOne() {
            return heartbeat;
        }
    }

    private static final class SharedCell {
        final Cell cell = new Cell(3, 1, Duration.ofSeconds(5));
        final SharedState one;
        final SharedState target;
        final SharedState three;

        SharedCell() {
            cell.openAll();
            await().until(cell::allKnowAll);
            one = cell.at(1);
            target = cell.at(2);
            three = cell.at(3);
        }

        /**
         * The first epoch of numbers that nobody has used; the target's word now has it. It publishes too: it would
         * become stale in scenarios that never do.
         */
        long newLife() {
            target.publish(Cell.LOAD);
            RoleWord last = Cell.word(target);
            RoleWord next = RoleWord.active(last.epoch() + EPOCHS_PER_LIFE, 0, Role.SPARE);
            if (!(target.compareAndSetRole(TARGET, last, next) instanceof CasOutcome.Won)) {
                throw new IllegalStateException("somebody else is at the word");
            }
            return next.epoch();
        }

        void close() {
            cell.close();
        }
    }
}
