package dev.retier.iwarp.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Waits in the system ({@code poll(2)}) until a socket has bytes or takes them, somebody wakes the thread, or it is
 * interrupted. One thread waits at a time; any may wake it.
 */
final class SocketWait {
    /** Sockets at most. */
    static final int SOCKETS = 8;

    // struct pollfd.
    private static final long ENTRY_BYTES = 8;
    private static final long EVENTS_AT = 4;
    private static final long FOUND_AT = 6;
    private static final short POLLIN = 1;
    private static final short READ_AND_WRITE = POLLIN | 4; // POLLOUT

    private static final Cleaner CLEANER = Cleaner.create();
    /** Those that nobody uses. Their numbers stay their own: somebody may wake one late. */
    private static final Queue<SocketWait> SPARES = new ConcurrentLinkedQueue<>();

    private final int event;
    private final MemorySegment memory = Arena.ofAuto().allocate((1 + SOCKETS) * ENTRY_BYTES + Long.BYTES, Long.BYTES);
    private final MemorySegment counter = memory.asSlice((1 + SOCKETS) * ENTRY_BYTES);
    private int count;
    private Interrupts interrupts;

    private SocketWait(int event) {
        this.event = event;
        this.interrupts = new Interrupts(this);
        memory.set(ValueLayout.JAVA_INT, 0, event);
        memory.set(ValueLayout.JAVA_SHORT, EVENTS_AT, POLLIN);
    }

    /** Java's own way to be told of interrupts: it closes what a thread waits in. */
    private static final class Interrupts extends AbstractInterruptibleChannel {
        private final SocketWait wait;

        Interrupts(SocketWait wait) {
            this.wait = wait;
        }

        void entered() {
            begin();
        }

        void left() {
            try {
                end(true);
            } catch (AsynchronousCloseException e) {
                // Of an interrupt: the thread's state says so, and whoever waits looks at that.
            }
        }

        @Override
        protected void implCloseChannel() {
            wait.wake();
        }
    }

    /** Null where the program does not allow the calls, or there are no descriptors left. */
    static @Nullable SocketWait open() {
        SocketWait spare = SPARES.poll();
        if (spare != null) {
            return spare;
        }
        int event = SocketCalls.areAllowed() ? SocketCalls.event() : -1;
        if (event < 0) {
            return null;
        }
        SocketWait wait = new SocketWait(event);
        CLEANER.register(wait, () -> SocketCalls.close(event));
        return wait;
    }

    /** The thread that waited here has gone, and no other will come: it serves for the next {@link #open}. */
    void spare() {
        SPARES.add(this);
    }

    /** Begins a list of sockets. */
    void clear() {
        count = 0;
    }

    /** One that waits for bytes, and, if {@code wantsSpace}, for TCP to take some. */
    void add(int descriptor, boolean wantsSpace) {
        count++;
        long at = count * ENTRY_BYTES;
        memory.set(ValueLayout.JAVA_INT, at, descriptor);
        memory.set(ValueLayout.JAVA_SHORT, at + EVENTS_AT, wantsSpace ? READ_AND_WRITE : POLLIN);
        memory.set(ValueLayout.JAVA_SHORT, at + FOUND_AT, (short) 0);
    }

    /** Waits. Returns whether something happened in time. */
    boolean await(int millis) {
        if (!interrupts.isOpen()) {
            interrupts = new Interrupts(this);
        }
        interrupts.entered();
        int found;
        try {
            found = SocketCalls.poll(memory, 1 + count, millis);
        } finally {
            interrupts.left();
        }
        if (found > 0 && memory.get(ValueLayout.JAVA_SHORT, FOUND_AT) != 0) {
            SocketCalls.lower(event, counter);
        }
        return found > 0;
    }

    /** Whether something happened to the socket that was added as number {@code index}, from 0 on; for good or ill. */
    boolean isReady(int index) {
        return memory.get(ValueLayout.JAVA_SHORT, (1 + index) * ENTRY_BYTES + FOUND_AT) != 0;
    }

    /** Ends the wait, or the next one. Safe for any thread. */
    void wake() {
        try {
            SocketCalls.raise(event);
        } finally {
            Reference.reachabilityFence(this); // its number stays its own until then
        }
    }
}
