package dev.retier.state.lock;

import java.util.List;
import java.util.Map;

/**
 * What a driver does next for an operation on a {@link MoveLock}. It carries the step out, tells {@link Next} what
 * came of it, and goes on with the step that it is given, until one is {@link Ended}. Steps of several operations on
 * one lock may alternate. A value: the lock's state is in {@link MoveLock} and {@link Tenure} alone.
 *
 * @param <R> what the operation ends with
 */
public sealed interface LockStep<R> {
    /** Read the replicas of all witnesses. */
    record Read<R>(Next<LockWord, R> next) implements LockStep<R> {}

    /** Carry out these swaps, all together; at least one, and at most one a witness. */
    record Exchange<R>(List<Swap> swaps, Next<CasReply, R> next) implements LockStep<R> {}

    /** There is no more to do. */
    record Ended<R>(R result) implements LockStep<R> {}

    /**
     * Goes on from the answers of witnesses.
     *
     * @param <A> what a witness answers
     * @param <R> what the operation ends with
     */
    @FunctionalInterface
    interface Next<A, R> {
        /**
         * The step that follows.
         *
         * @param answers by the index of the witness; one that did not answer in time is missing
         * @param nowNanos this node's monotonic clock, after the last answer came and before the next step begins
         */
        LockStep<R> after(Map<Integer, A> answers, long nowNanos);
    }
}
