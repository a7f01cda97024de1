package dev.retier.iwarp.stream;

import org.jspecify.annotations.Nullable;

/** The receive queue: a ring of buffers, each for one message. Guarded by the stream owner's lock. */
public final class ReceiveQueue {
    private final ReceiveWork[] ring;
    private final int capacity;
    private final int maxElements;
    private long head;
    private long tail;

    ReceiveQueue(int capacity, int maxElements) {
        this.capacity = capacity;
        this.ring = new ReceiveWork[Integer.highestOneBit(Math.max(1, capacity * 2 - 1))];
        this.maxElements = maxElements;
    }

    /** The next free entry, emptied, or null if the queue is full. It counts once it is committed. */
    public @Nullable ReceiveWork claim() {
        if (tail - head >= capacity) {
            return null;
        }
        ReceiveWork work = ring[(int) tail & ring.length - 1];
        if (work == null) {
            work = new ReceiveWork(maxElements);
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

    /** Takes the oldest receive off the queue. */
    void consume() {
        head++;
    }

    private ReceiveWork at(long index) {
        return ring[(int) index & ring.length - 1];
    }
}
