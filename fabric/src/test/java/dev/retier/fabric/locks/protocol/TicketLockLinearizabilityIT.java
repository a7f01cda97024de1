package dev.retier.fabric.locks.protocol;

import dev.retier.link.LeaseTimes;
import dev.retier.testsupport.Repeats;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While no lease runs out, a ticket lock is a lock: what is counted under it with plain
 * reads and writes is counted right, and no token is lower than an earlier one.
 */
@Tag("lincheck")
public class TicketLockLinearizabilityIT {
    private static final LeaseTimes NO_END = new LeaseTimes(Long.MAX_VALUE / 4);
    private static final NowServing FIRST = NowServing.atBoot(1);
    private static final long LIFE = 1;

    private final AtomicLong ticketWord = new AtomicLong(FIRST.ticket() + 1);
    private final AtomicLong turnWord = new AtomicLong(FIRST.passed().encode());
    private int counted;
    private long lastToken;

    /** A node comes, counts and goes. */
    @Operation
    public int count() {
        TicketLock node = new TicketLock(NO_END);
        node.request(1);
        long now = 0;
        Optional<TicketGrant> grant = drive(node, now);
        while (grant.isEmpty()) {
            now = node.wakeNanos().orElse(now);
            Thread.onSpinWait();
            grant = drive(node, now);
        }
        if (grant.get().token() <= lastToken) {
            throw new IllegalStateException("token " + grant.get().token() + " after token " + lastToken);
        }
        lastToken = grant.get().token();
        int before = counted;
        counted = before + 1;
        node.release(grant.get(), now);
        drive(node, now);
        return before;
    }

    @Test
    @Timeout(1800)
    void shouldBeLinearizable_whenThreeNodesLockAtOnce() {
        new StressOptions()
                .iterations(Repeats.of(25))
                .invocationsPerIteration(1000)
                .threads(3)
                .actorsPerThread(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Counter.class)
                .check(TicketLockLinearizabilityIT.class);
    }

    /** Does what is due now. */
    private Optional<TicketGrant> drive(TicketLock node, long now) {
        Optional<LockOperation> due = node.next(now);
        while (due.isPresent()) {
            node.done(due.get(), new TicketLock.Found(carryOut(due.get()), LIFE), now, now);
            due = node.next(now);
        }
        return node.takeGrants().stream().findFirst();
    }

    private long carryOut(LockOperation operation) {
        return switch (operation) {
            case LockOperation.Draw _ -> ticketWord.getAndIncrement();
            case LockOperation.Look _ -> turnWord.get();
            case LockOperation.Swap(NowServing expected, NowServing next) ->
                turnWord.compareAndExchange(expected.encode(), next.encode());
        };
    }

    /** What it shall be like. */
    public static final class Counter {
        private int counted;

        public int count() {
            return counted++;
        }
    }
}
