package dev.retier.iwarp.net;

import dev.retier.iwarp.rdmap.Completion;
import dev.retier.iwarp.rdmap.CompletionSink;
import dev.retier.iwarp.rdmap.Spares;
import dev.retier.verbs.AdaptiveSpin;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A completion queue that any number of queue pairs share. Safe for any thread.
 *
 * <p>A full queue ends the stream whose completion found no room, but only if that stream holds its fair share of the
 * entries already: so one that floods a shared queue hurts itself and no other (RFC 5042 section 6.4.3).
 *
 * <p>Its memory counts as it grows, from its first queue pair until its last one has gone: DiSNI's endpoints never
 * destroy theirs, and most make them far larger than they ever fill.
 */
public final class CompletionQueue {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionQueue.class);
    /** Queue pairs that one call of {@link #poll} looks after itself; with more, the progress loop does. */
    private static final int POLLED_PAIRS = 8;
    /** Empty polls in a row after which a poller yields: some 50 microseconds of system calls. */
    private static final int POLLS_BEFORE_YIELD = 100;
    /** An entry: its place in the ring, the object, its completion. Measured with 64-bit objects. */
    static final int ENTRY_BYTES = 104;
    /** Entries of a queue at most, whatever memory there is. */
    private static final int MOST_ENTRIES = 1 << 22;
    /** Places of a queue's ring when it is used first. */
    private static final int FIRST_PLACES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final int capacity;
    private final @Nullable CompletionChannel channel;
    private final MemoryBudget memory;
    /** Replaced, never changed; replaced under lock. */
    private volatile SocketQueuePair[] attached = {};
    // Guarded by lock.
    private @Nullable Entry[] ring = {};
    private final Spares<Entry> spares = new Spares<>(Entry::new);
    private long head;
    private long tail;
    private Notify armed = Notify.NOT;

    private volatile boolean empty = true;
    private final AdaptiveSpin spins = new AdaptiveSpin();
    /** Polls in a row that moved nothing; a guess if several threads poll. */
    private int emptyPolls;

    private enum Notify {
        NOT,
        SOLICITED,
        ANY
    }

    /** A completion and the queue pair it is about. */
    public static final class Entry {
        private final Completion completion = new Completion();
        private @Nullable Share share;

        /** What happened. */
        public Completion completion() {
            return completion;
        }

        /** The queue pair's number. */
        public int pairNumber() {
            Share owner = share;
            return owner == null ? 0 : owner.pairNumber;
        }

        private void release() {
            Share owner = share;
            share = null;
            if (owner != null) {
                owner.held--;
            }
        }
    }

    /** Takes completions out of the queue; they are valid during the call. */
    @FunctionalInterface
    public interface Reader {
        /** Called once per completion, {@code index} counting from 0. Must not block, nor call the queue. */
        void take(int index, Entry entry);
    }

    /** An empty queue; see {@link Device#newCompletionQueue}. */
    CompletionQueue(MemoryBudget memory, int capacity, @Nullable CompletionChannel channel) {
        if (capacity < 1 || capacity > MOST_ENTRIES) {
            throw new IllegalArgumentException(
                    "a completion queue of " + capacity + " entries; use 1 to " + MOST_ENTRIES);
        }
        this.memory = memory;
        this.capacity = capacity;
        this.channel = channel;
        if (bytes(places(capacity)) > memory.limitBytes()) {
            throw new IllegalArgumentException(refusal(places(capacity)));
        }
    }

    private String refusal(int places) {
        return "a completion queue of " + capacity + " entries: " + memory.refusal(bytes(places));
    }

    private static long bytes(int places) {
        return (long) ENTRY_BYTES * places;
    }

    /** Memory of a queue that has never held much. */
    static long firstBytes(int capacity) {
        return bytes(Math.min(FIRST_PLACES, places(capacity)));
    }

    /** Twice the capacity at least: queue pairs that keep to their fair share find room beside one that does not. */
    private static int places(int capacity) {
        return Integer.highestOneBit(capacity * 4 - 1);
    }

    /** The largest capacity of a queue that fits into all of that memory; 0 if none does. */
    static int largest(MemoryBudget memory) {
        return (int) Math.min(MOST_ENTRIES, Long.highestOneBit(memory.limitBytes() / ENTRY_BYTES) / 2);
    }

    /** The channel on which one thread waits for events of one of them, and may read a socket; null if none does. */
    static @Nullable CompletionChannel awaited(CompletionQueue first, CompletionQueue second) {
        CompletionChannel events = first.channel;
        CompletionChannel others = second.channel;
        if (events != null && events.mayServe()) {
            return events;
        }
        return others != null && others.mayServe() ? others : null;
    }

    /** How many completions it holds at least. */
    public int capacity() {
        return capacity;
    }

    /**
     * A queue pair's end of this queue: one for its sends, one for its receives, if both complete here.
     *
     * @throws IllegalArgumentException if it is the first, and the device has no memory for the queue
     */
    Share attach(SocketQueuePair pair) {
        lock.lock();
        try {
            if (attached.length == 0) {
                int places = Math.max(ring.length, Math.min(FIRST_PLACES, places(capacity)));
                if (!memory.take(bytes(places))) {
                    throw new IllegalArgumentException(refusal(places));
                }
                resize(places);
            }
            if (!Arrays.asList(attached).contains(pair)) {
                SocketQueuePair[] more = Arrays.copyOf(attached, attached.length + 1);
                more[attached.length] = pair;
                attached = more;
            }
            return new Share(pair.number(), pair.device().loop());
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the pair, if it is attached; its completions stay. The last one gives the memory back. */
    void detach(SocketQueuePair pair) {
        lock.lock();
        try {
            int at = Arrays.asList(attached).indexOf(pair);
            if (at >= 0) {
                SocketQueuePair[] fewer = Arrays.copyOf(attached, attached.length - 1);
                System.arraycopy(attached, at + 1, fewer, at, fewer.length - at);
                attached = fewer;
                if (fewer.length == 0) {
                    memory.give(bytes(ring.length));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** One queue pair's completions in this queue. */
    final class Share implements CompletionSink {
        private final int pairNumber;
        private final ProgressLoop loop;
        /** Guarded by the queue's lock: entries of this pair that nobody has taken. */
        private int held;
        /** Guarded by the queue pair's lock. */
        private boolean closed;
        /** Guarded by the queue pair's lock. */
        private boolean isTold;

        private Share(int pairNumber, ProgressLoop loop) {
            this.pairNumber = pairNumber;
            this.loop = loop;
        }

        /** Drops all further completions: their queue pair was destroyed. */
        void close() {
            closed = true;
        }

        @Override
        public boolean complete(Completion completion) {
            boolean isTaken = closed || add(completion, this);
            if (!isTaken && !isTold) {
                isTold = true;
                LOG.warn(
                        "queue pair {}: its completion queue of {} entries is full, so its connection ends; take"
                                + " completions sooner, or make the queue larger",
                        pairNumber,
                        capacity);
            }
            return isTaken;
        }
    }

    private boolean add(Completion completion, Share share) {
        lock.lock();
        try {
            int size = (int) (tail - head);
            int fair = Math.max(1, capacity / Math.max(1, attached.length));
            if ((size == ring.length && !grow()) || (size >= capacity && share.held >= fair)) {
                return false;
            }
            Entry entry = spares.take();
            ring[(int) tail & ring.length - 1] = entry;
            entry.completion.copy(completion);
            entry.share = share;
            share.held++;
            tail++;
            if (empty) {
                empty = false;
            }
            boolean wake = armed == Notify.ANY || (armed == Notify.SOLICITED && completion.solicited);
            if (wake && channel != null) {
                armed = Notify.NOT;
                channel.raise();
                share.loop.wakeSoon(channel);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes room for as many again, if the queue may have them and the device has the memory. */
    private boolean grow() {
        if (ring.length >= places(capacity) || !memory.take(bytes(ring.length))) {
            return false;
        }
        resize(2 * ring.length);
        return true;
    }

    private void resize(int places) {
        @Nullable Entry[] larger = new @Nullable Entry[places];
        for (long at = head; at < tail; at++) {
            larger[(int) at & places - 1] = ring[(int) at & ring.length - 1];
        }
        ring = larger;
    }

    /**
     * Hands up to {@code max} completions to {@code reader}. If there are none, looks at the sockets first.
     *
     * @return how many
     */
    public int poll(int max, Reader reader) {
        if (empty) {
            boolean moved = progress();
            if (empty) {
                yieldAfterMany(moved);
                return 0;
            }
        }
        emptyPolls = 0;
        lock.lock();
        try {
            int count = (int) Math.min(max, tail - head);
            for (int i = 0; i < count; i++) {
                Entry entry = takeFirst();
                reader.take(i, entry);
                entry.release();
                spares.give(entry);
            }
            empty = head == tail;
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** A poller that finds nothing for long lets others run: on a busy machine the answer may depend on them. */
    @SuppressWarnings("ThreadPriorityCheck") // spinning on would take the processor from whom we wait for
    private void yieldAfterMany(boolean moved) {
        int polls = moved ? 0 : emptyPolls + 1;
        emptyPolls = polls;
        if (polls > POLLS_BEFORE_YIELD) {
            Thread.yield();
        }
    }

    /** Wakes the channel with the next completion, or the next solicited or failed one. */
    public void requestNotification(boolean solicitedOnly) {
        lock.lock();
        try {
            if (armed != Notify.ANY) {
                armed = solicitedOnly ? Notify.SOLICITED : Notify.ANY;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Polls the sockets until the channel has an event, nothing is under way, or the time is over; then leaves the
     * sockets to the progress loop, but for those that who waits for the channel reads. Does not spin where that has
     * lately been for nothing.
     */
    public void spin(long nanos) {
        CompletionChannel events = channel;
        SocketQueuePair[] pairs = attached;
        if (events != null && pairs.length <= POLLED_PAIRS && !events.hasPending() && awaiting(pairs)) {
            if (nanos > 0 && spins.isPromising()) {
                spins.ended(spin(events, pairs, nanos));
            }
        }
        for (SocketQueuePair pair : pairs) {
            if (!pair.polls().isHeld(events)) {
                pair.leave();
            }
        }
    }

    private static boolean spin(CompletionChannel events, SocketQueuePair[] pairs, long nanos) {
        long end = System.nanoTime() + nanos;
        while (!events.hasPending()) {
            if (System.nanoTime() - end >= 0 || !awaiting(pairs)) {
                return events.hasPending();
            }
            for (SocketQueuePair pair : pairs) {
                if (pair.awaiting()) {
                    pair.poll();
                }
            }
        }
        return true;
    }

    private static boolean awaiting(SocketQueuePair[] pairs) {
        for (SocketQueuePair pair : pairs) {
            if (pair.awaiting()) {
                return true;
            }
        }
        return false;
    }

    /** Looks at all sockets. Returns whether any had something. */
    private boolean progress() {
        SocketQueuePair[] pairs = attached;
        if (pairs.length > POLLED_PAIRS) {
            return false;
        }
        boolean moved = false;
        for (SocketQueuePair pair : pairs) {
            moved |= pair.poll();
        }
        return moved;
    }

    private Entry takeFirst() {
        int at = (int) head & ring.length - 1;
        Entry entry = Objects.requireNonNull(ring[at]);
        ring[at] = null;
        head++;
        return entry;
    }
}
