package dev.retier.state.verbs;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One remote operation in flight, with the buffer that it reads into or writes from. The buffer goes back to its
 * pool when both the completion has come and the caller has released it, so a late answer never lands in somebody
 * else's buffer.
 *
 * <p>Thread-safe: ended by the completion thread, awaited and released by the caller.
 */
final class Work implements Completions.Handler {
    private final MemorySegment buffer;
    private final Runnable giveBack;
    private final long startedNanos;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicInteger users = new AtomicInteger(2);
    private volatile boolean success;

    /** How a wait ended. */
    enum Ending {
        DONE,
        FAILED,
        TIMED_OUT
    }

    Work(MemorySegment buffer, Runnable giveBack, long startedNanos) {
        this.buffer = buffer;
        this.giveBack = giveBack;
        this.startedNanos = startedNanos;
    }

    MemorySegment buffer() {
        return buffer;
    }

    long startedNanos() {
        return startedNanos;
    }

    @Override
    public void ended(boolean succeeded, int lengthBytes) {
        success = succeeded;
        done.countDown();
        leave();
    }

    /** Waits until the operation has ended or the monotonic clock shows {@code deadlineNanos}. */
    Ending await(long deadlineNanos) {
        try {
            if (!done.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return Ending.TIMED_OUT;
            }
            return success ? Ending.DONE : Ending.FAILED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Ending.TIMED_OUT;
        }
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
