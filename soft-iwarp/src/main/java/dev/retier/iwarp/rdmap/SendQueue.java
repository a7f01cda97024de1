package dev.retier.iwarp.rdmap;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The send queue: a ring of work requests that start in order and complete in order (RFC 5040 section 5.5).
 *
 * <pre>
 *   head            answer             next            tail
 *    | finished or   | oldest that      | not started   |
 *    | under way     | awaits an answer | yet           |
 * </pre>
 *
 * Guarded by the stream owner's lock.
 */
public final class SendQueue {
    private final @Nullable SendWork[] ring;
    private final Spares<SendWork> spares;
    private final int capacity;
    private long head;
    private long answer;
    private long next;
    /** All entries before it were given to TCP whole. */
    private long handed;

    private long tail;
    private int awaiting;

    SendQueue(int capacity, int maxElements) {
        this.capacity = capacity;
        this.ring = new @Nullable SendWork[Integer.highestOneBit(Math.max(1, capacity * 2 - 1))];
        this.spares = new Spares<>(() -> new SendWork(maxElements));
    }

    /** The next free entry, emptied, or null if the queue is full. It counts once it is committed. */
    public @Nullable SendWork claim() {
        if (tail - head >= capacity) {
            return null;
        }
        SendWork work = ring[(int) tail & ring.length - 1];
        if (work == null) {
            work = spares.take();
            ring[(int) tail & ring.length - 1] = work;
        }
        work.reset();
        return work;
    }

    /** Posts the claimed entry. */
    public void commit() {
        tail++;
    }

    /** Entries that have not completed. */
    public int size() {
        return (int) (tail - head);
    }

    /** Reads and atomics that wait for their answers. */
    int awaiting() {
        return awaiting;
    }

    /** The entry to start or go on with, or null. */
    @Nullable
    SendWork next() {
        return next < tail ? at(next) : null;
    }

    /** The entry of {@link #next} is in the batch. */
    void sent() {
        SendWork work = at(next);
        next++;
        if (work.opcode.awaitsResponse()) {
            awaiting++;
        }
    }

    /** TCP has all that was {@link #sent}: what awaits no answer is finished. */
    void handedOver() {
        for (; handed < next; handed++) {
            SendWork work = at(handed);
            work.finished |= !work.opcode.awaitsResponse();
        }
    }

    /** The oldest entry that awaits an answer, or null. */
    @Nullable
    SendWork awaitingAnswer() {
        while (answer < next) {
            SendWork work = at(answer);
            if (work.opcode.awaitsResponse() && !work.finished) {
                return work;
            }
            answer++;
        }
        return null;
    }

    /** The entry of {@link #awaitingAnswer} was answered. */
    void answered() {
        at(answer).finished = true;
        answer++;
        awaiting--;
    }

    /** Removes and returns the oldest entry if it is finished, or null. Good until the next {@link #claim}. */
    @Nullable
    SendWork retire() {
        if (head < next && at(head).finished) {
            return remove();
        }
        return null;
    }

    private SendWork remove() {
        SendWork work = at(head);
        ring[(int) head & ring.length - 1] = null;
        head++;
        answer = Math.max(answer, head);
        handed = Math.max(handed, head);
        spares.give(work);
        return work;
    }

    /** Removes and returns the oldest entry, finished or not, or null; for flushing. Likewise. */
    @Nullable
    SendWork flush() {
        if (head == tail) {
            next = tail;
            handed = tail;
            answer = tail;
            awaiting = 0;
            return null;
        }
        return remove();
    }

    private SendWork at(long index) {
        return Objects.requireNonNull(ring[(int) index & ring.length - 1]);
    }
}
