package dev.retier.state.lock;

import java.util.List;
import java.util.Map;

/**
 * A move lock while this node holds it: one term, from its acquisition until it is given up or lost. Not thread-safe;
 * times are this node's own monotonic nanoseconds.
 */
public final class Tenure {
    private final MoveLock lock;
    private final long term;
    private long safeUntilNanos;
    private boolean isHeld = true;

    Tenure(MoveLock lock, long term, long safeUntilNanos) {
        this.lock = lock;
        this.term = term;
        this.safeUntilNanos = safeUntilNanos;
    }

    /** Higher than that of every earlier acquisition. */
    public long term() {
        return term;
    }

    /** Whether the holder may still act. */
    public boolean isSafe(long nowNanos) {
        return isHeld && nowNanos - safeUntilNanos < 0;
    }

    /** Starts the lease anew. Ends with whether that came about; if not, the lease runs out as it would have. */
    public LockStep<Boolean> renew() {
        return isHeld ? new LockStep.Read<>(this::renewOwn) : new LockStep.Ended<>(false);
    }

    /** Gives the lock up, from now on. Ends with whether it was still held. */
    public LockStep<Boolean> release() {
        if (!isHeld) {
            return new LockStep.Ended<>(false);
        }
        isHeld = false;
        return new LockStep.Read<>((words, _) -> MoveLock.giveBack(lock.own(term, words, LockWord::released), true));
    }

    private LockStep<Boolean> renewOwn(Map<Integer, LockWord> words, long postedNanos) {
        List<Swap> swaps = lock.own(term, words, LockWord::renewed);
        if (!lock.isMajority(swaps.size())) {
            return new LockStep.Ended<>(false);
        }
        return new LockStep.Exchange<>(swaps, (replies, _) -> {
            boolean isRenewed = lock.isWon(replies);
            safeUntilNanos = isRenewed ? lock.safeUntilNanos(postedNanos) : safeUntilNanos;
            return new LockStep.Ended<>(isRenewed);
        });
    }
}
