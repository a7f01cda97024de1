package dev.retier.link;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One remote operation in flight, with the buffer that it reads into or writes from. The buffer goes back to its pool
 * when both the completion has come and the caller has released it, so a late answer never lands in somebody else's
 * buffer.
 *
 * <p>Thread-safe: ended by the completion thread, looked at and released by the caller.
 */
public final class Work {
    private final MemorySegment buffer;
    private final Gathering gathering;
    private final Runnable giveBack;
    private final long startedNanos;
    private final AtomicInteger users = new AtomicInteger(2);
    private volatile Ending ending = Ending.TIMED_OUT;

    /** How an operation ended. */
    public enum Ending {
        /** It succeeded. */
        DONE,
        /** It failed. */
        FAILED,
        /** Not yet ended. */
        TIMED_OUT
    }

    /** Begun now, and to be awaited in {@code gathering}; {@code giveBack} takes the buffer. */
    public Work(MemorySegment buffer, Gathering gathering, Operations operations, Runnable giveBack) {
        this.buffer = buffer;
        this.gathering = gathering;
        this.giveBack = giveBack;
        this.startedNanos = operations.nowNanos();
        gathering.expect(operations);
    }

    /** Where it reads into or writes from. */
    public MemorySegment buffer() {
        return buffer;
    }

    /** When it was begun, by the node's clock. */
    public long startedNanos() {
        return startedNanos;
    }

    /** The operation has ended. Called once. */
    public void ended(boolean success) {
        ending = success ? Ending.DONE : Ending.FAILED;
        gathering.arrived();
        leave();
    }

    /** How it ended, once the wait for it is over. */
    public Ending ending() {
        return ending;
    }

    /** The caller needs the buffer no more. Call exactly once. */
    public void release() {
        leave();
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            giveBack.run();
        }
    }
}
