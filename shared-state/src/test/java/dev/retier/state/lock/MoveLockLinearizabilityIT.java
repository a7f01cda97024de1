package dev.retier.state.lock;

import dev.retier.state.NodeId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On one witness, and while no lease runs out, the move lock is a lock: one holder, and only it can give it up. */
@Tag("lincheck")
@Param(name = "node", gen = IntGen.class, conf = "1:3")
public class MoveLockLinearizabilityIT {
    private final AtomicLong witness = new AtomicLong();
    private final List<Contender> contenders =
            List.of(new Contender(new NodeId(1)), new Contender(new NodeId(2)), new Contender(new NodeId(3)));

    @Operation
    public boolean acquire(@Param(name = "node") int node) {
        return contenders.get(node - 1).acquire();
    }

    @Operation
    public boolean release(@Param(name = "node") int node) {
        return contenders.get(node - 1).release();
    }

    @Test
    void shouldBeLinearizable_whenThreeNodesWantIt() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(MoveLockLinearizabilityIT.class);
    }

    /** One node; its operations come one after the other, as the driver sees to. */
    private final class Contender {
        private final MoveLock lock;
        private long term;

        Contender(NodeId self) {
            lock = new MoveLock(self, new LeaseTimes(Long.MAX_VALUE, 1), 1);
        }

        synchronized boolean acquire() {
            LockWord seen = LockWord.decode(witness.get());
            if (lock.propose(Map.of(0, seen), 0) instanceof MoveLock.Proposal.Take take
                    && lock.conclude(take, Map.of(0, swap(take.swaps().getFirst())), 0, 0)
                            instanceof MoveLock.Verdict.Won won) {
                term = won.term();
                return true;
            }
            return false;
        }

        synchronized boolean release() {
            List<Swap> swaps = lock.release(term, Map.of(0, LockWord.decode(witness.get())));
            return !swaps.isEmpty() && swap(swaps.getFirst()) instanceof CasReply.Won;
        }

        private CasReply swap(Swap swap) {
            long found = witness.compareAndExchange(
                    swap.expected().encode(), swap.next().encode());
            return found == swap.expected().encode() ? new CasReply.Won() : new CasReply.Lost(LockWord.decode(found));
        }
    }
}
