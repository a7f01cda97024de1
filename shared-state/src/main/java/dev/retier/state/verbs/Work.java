package dev.retier.state.verbs;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One remote operation in flight, with the buffer that it reads into or writes from. The buffer goes back to its pool
 * when both the completion has come and the caller has released it, so a late answer never lands in somebody else's
 * buffer.
 *
 * <p>Thread-safe: ended by the completion thread, looked at and released by the caller.
 */
final class Work {
    private final MemorySegment buffer;
    private final Gathering gathering;
    private final Runnable giveBack;
    private final long startedNanos = System.nanoTime();
    private final AtomicInteger users = new AtomicInteger(2);
    private volatile Ending ending = Ending.TIMED_OUT;

    /** How an operation ended. */
    enum Ending {
        DONE,
        FAILED,
        /** Not yet ended. */
        TIMED_OUT
    }

    Work(MemorySegment buffer, Gathering gathering, Operations operations, Runnable giveBack) {
        this.buffer = buffer;
        this.gathering = gathering;
        this.giveBack = giveBack;
        gathering.expect(operations);
    }

    MemorySegment buffer() {
        return buffer;
    }

    long startedNanos() {
        return startedNanos;
    }

    /** The operation has ended. Called once. */
    void ended(boolean success) {
        ending = success ? Ending.DONE : Ending.FAILED;
        gathering.arrived();
        leave();
    }

    /** How it ended, once the wait for it is over. */
    Ending ending() {
        return ending;
    }

    /** The caller needs the buffer no more. Call exactly once. */
    void release() {
        leave();
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            giveBack.run();
        }
    }
}
