package dev.retier.iwarp.rdmap;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The receive queue: a ring of buffers, each for one message. Guarded by the stream owner's lock. */
public final class ReceiveQueue {
    private final @Nullable ReceiveWork[] ring;
    private final Spares<ReceiveWork> spares;
    private final int capacity;
    private long head;
    private long tail;

    ReceiveQueue(int capacity, int maxElements) {
        this.capacity = capacity;
        this.ring = new @Nullable ReceiveWork[Integer.highestOneBit(Math.max(1, capacity * 2 - 1))];
        this.spares = new Spares<>(() -> new ReceiveWork(maxElements));
    }

    /** The next free entry, emptied, or null if the queue is full. It counts once it is committed. */
    public @Nullable ReceiveWork claim() {
        if (tail - head >= capacity) {
            return null;
        }
        ReceiveWork work = ring[(int) tail & ring.length - 1];
        if (work == null) {
            work = spares.take();
            ring[(int) tail & ring.length - 1] = work;
        }
        work.scatter().clear();
        return work;
    }

    /** Posts the claimed entry. */
    public void commit() {
        tail++;
    }

    /** Posted receives. */
    public int size() {
        return (int) (tail - head);
    }

    /** The oldest receive, or null. */
    @Nullable
    ReceiveWork first() {
        return head < tail ? at(head) : null;
    }

    /** Takes the oldest receive off the queue. It is good until the next {@link #claim}. */
    void consume() {
        spares.give(at(head));
        ring[(int) head & ring.length - 1] = null;
        head++;
    }

    private ReceiveWork at(long index) {
        return Objects.requireNonNull(ring[(int) index & ring.length - 1]);
    }
}
