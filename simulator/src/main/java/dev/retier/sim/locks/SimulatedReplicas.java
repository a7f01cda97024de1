package dev.retier.sim.locks;

import dev.retier.sim.time.Round;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LockStep;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.Swap;
import java.util.function.Consumer;

/** How a simulated node reaches the replicas of a site's move lock; carries out on them what the lock decides. */
public interface SimulatedReplicas {
    /** How many replicas there are. */
    int witnesses();

    /** Reads a replica; {@code answered} is told some time later, or never. */
    void read(int witness, Consumer<LockWord> answered);

    /** Swaps a replica; {@code answered} is told some time later, or never. */
    void swap(Swap swap, Consumer<CasReply> answered);

    /** Runs {@code over} when operations that begin now have had their time. */
    void atDeadline(Runnable over);

    /** The node's own monotonic clock, in nanoseconds. */
    long clock();

    /** Takes all steps of an operation, each in its time; {@code then} is told how it ended. */
    default <R> void carryOut(LockStep<R> step, Consumer<R> then) {
        switch (step) {
            case LockStep.Read<R>(var next) -> {
                Round<LockWord> round = new Round<>(witnesses(), words -> carryOut(next.after(words, clock()), then));
                for (int witness = 0; witness < witnesses(); witness++) {
                    int index = witness;
                    read(index, word -> round.answered(index, word));
                }
                atDeadline(round::end);
            }
            case LockStep.Exchange<R>(var swaps, var next) -> {
                Round<CasReply> round =
                        new Round<>(swaps.size(), replies -> carryOut(next.after(replies, clock()), then));
                swaps.forEach(swap -> swap(swap, reply -> round.answered(swap.witness(), reply)));
                atDeadline(round::end);
            }
            case LockStep.Ended<R>(R result) -> then.accept(result);
        }
    }
}
