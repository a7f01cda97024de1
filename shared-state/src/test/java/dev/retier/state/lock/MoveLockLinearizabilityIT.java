package dev.retier.state.lock;

import dev.retier.link.LeaseTimes;
import dev.retier.link.NodeId;
import dev.retier.testsupport.Repeats;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
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
                .iterations(Repeats.of(10))
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(MoveLockLinearizabilityIT.class);
    }

    /** One node; its operations come one after the other, as the driver sees to. */
    private final class Contender {
        private final NodeId self;
        private final MoveLock lock;
        private @Nullable Tenure tenure;

        Contender(NodeId self) {
            this.self = self;
            lock = new MoveLock(self, _ -> true, new LeaseTimes(Long.MAX_VALUE / 4), 1);
        }

        synchronized boolean acquire() {
            if (carryOut(lock.acquire()) instanceof Attempt.Taken(Tenure taken)) {
                tenure = taken;
                return true;
            }
            return false;
        }

        synchronized boolean release() {
            boolean isOwn = tenure != null && LockWord.decode(witness.get()).isHeldBy(self, tenure.term());
            return isOwn && carryOut(Objects.requireNonNull(tenure).release());
        }

        private <R> R carryOut(LockStep<R> first) {
            LockStep<R> step = first;
            while (true) {
                switch (step) {
                    case LockStep.Read<R>(var next) -> step = next.after(Map.of(0, LockWord.decode(witness.get())), 0);
                    case LockStep.Exchange<R>(var swaps, var next) ->
                        step = next.after(Map.of(0, swap(swaps.getFirst())), 0);
                    case LockStep.Ended<R>(R result) -> {
                        return result;
                    }
                }
            }
        }

        private CasReply swap(Swap swap) {
            long found = witness.compareAndExchange(
                    swap.expected().encode(), swap.next().encode());
            return found == swap.expected().encode() ? new CasReply.Won() : new CasReply.Lost(LockWord.decode(found));
        }
    }
}
