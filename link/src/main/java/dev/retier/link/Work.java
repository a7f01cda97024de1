package dev.retier.link;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One remote operation of a {@link Gathering}, with the buffer that it reads into or writes from. The buffer goes back
 * to its pool when both the operation has ended and the caller has judged it, so a late answer never lands in somebody
 * else's buffer.
 *
 * <p>Thread-safe: ended by the thread that drains the completions, looked at by the caller.
 */
public final class Work implements OneSidedQueue.Operation {
    private final MemorySegment buffer;
    private final Gathering<?> gathering;
    private final Consumer<MemorySegment> giveBack;
    private final AtomicInteger users = new AtomicInteger(2);
    private volatile Ending ending = Ending.TIMED_OUT;

    /** How an operation ended. */
    public enum Ending {
        /** It succeeded. */
        DONE,
        /** It failed, or the connection ended. */
        FAILED,
        /** Not yet ended. */
        TIMED_OUT
    }

    Work(MemorySegment buffer, Gathering<?> gathering, Consumer<MemorySegment> giveBack) {
        this.buffer = buffer;
        this.gathering = gathering;
        this.giveBack = giveBack;
    }

    /** Where it reads into or writes from. */
    public MemorySegment buffer() {
        return buffer;
    }

    /** How it ended, once the wait for it is over. */
    public Ending ending() {
        return ending;
    }

    @Override
    public void done() {
        ended(Ending.DONE);
    }

    @Override
    public void notDone(String reason) {
        ended(Ending.FAILED);
    }

    @Override
    public void unknown(String reason) {
        ended(Ending.FAILED);
    }

    private void ended(Ending how) {
        ending = how;
        gathering.arrived();
        leave();
    }

    /** The operation, or the caller, needs the buffer no more. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            giveBack.accept(buffer);
        }
    }
}
