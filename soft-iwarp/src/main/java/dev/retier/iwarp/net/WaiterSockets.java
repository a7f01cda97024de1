package dev.retier.iwarp.net;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that the progress loop has left to the thread that waits for a channel's events: it reads them itself,
 * and no message has to wake two threads one after the other. Where nothing comes for a while the loop has them again.
 */
final class WaiterSockets {
    /** After so long without a byte they go back: while they are left, the loop looks now and then who reads them. */
    private static final int IDLE_MILLIS = 20;

    private static final Place[] NONE = {};

    private final CompletionChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    /** Replaced under lock, never changed. */
    private volatile Place[] places = NONE;
    /** Made when there is a first socket; written under lock. */
    private volatile @Nullable SocketWait wait;
    /** When a byte came last, or a socket. */
    private volatile long usedNanos;

    private record Place(SocketQueuePair pair, int descriptor) {}

    WaiterSockets(CompletionChannel channel) {
        this.channel = channel;
    }

    /** Whether one more can be left to who waits. Safe for any thread. */
    boolean hasRoom() {
        return SocketCalls.areAllowed() && places.length < SocketWait.SOCKETS;
    }

    /** Whether the socket of that is among them. Safe for any thread. */
    boolean holds(PollWatch watch) {
        for (Place place : places) {
            if (place.pair.polls().equals(watch)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Leaves a socket to who waits; the loop has it again where the system has no way to wait for it here. Safe for any
     * thread.
     */
    void adopt(SocketQueuePair pair, int descriptor) {
        boolean isTaken = descriptor >= 0 && add(pair, descriptor);
        if (isTaken) {
            channel.rouse();
        } else {
            pair.polls().givenBack();
            pair.leave();
        }
    }

    private boolean add(SocketQueuePair pair, int descriptor) {
        lock.lock();
        try {
            SocketWait current = wait == null ? SocketWait.open() : wait;
            wait = current;
            if (current == null || places.length >= SocketWait.SOCKETS) {
                return false;
            }
            Place[] more = Arrays.copyOf(places, places.length + 1);
            more[places.length] = new Place(pair, descriptor);
            places = more;
            usedNanos = System.nanoTime();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody will wait here any more. Safe for any thread. */
    void release() {
        lock.lock();
        try {
            SocketWait last = wait;
            wait = null;
            if (last != null) {
                last.spare();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether there are any. Safe for any thread. */
    boolean areAny() {
        return places.length > 0;
    }

    /** Ends the wait of {@link #serve}. Safe for any thread. */
    void wake() {
        SocketWait current = wait;
        if (current != null) {
            current.wake();
        }
    }

    /** Waits once, for {@code nanos} at most, and takes what has come. By one thread at a time. */
    void serve(long nanos) {
        SocketWait current = wait;
        Place[] now = places;
        if (current == null) {
            return;
        }
        current.clear();
        for (Place place : now) {
            current.add(place.descriptor, place.pair.polls().hasUnsent());
        }
        long millis = Math.ceilDiv(nanos, TimeUnit.MILLISECONDS.toNanos(1));
        boolean isUsed = false;
        if (current.await((int) Math.min(IDLE_MILLIS, millis))) {
            for (int i = 0; i < now.length; i++) {
                isUsed |= current.isReady(i) && serve(now[i].pair);
            }
        }
        long nowNanos = System.nanoTime();
        if (isUsed) {
            usedNanos = nowNanos;
        } else if (nowNanos - usedNanos >= TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS)) {
            giveBack();
        }
    }

    /** Returns whether bytes came. What it fails of ends it, as in the loop. */
    private boolean serve(SocketQueuePair pair) {
        boolean isUsed = false;
        try {
            isUsed = pair.serve();
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            pair.device().loop().failed(pair, e);
        }
        if (!pair.polls().isLeftTo(channel)) {
            purge();
            pair.leave(); // it was given back meanwhile, which this read may have hidden
        }
        return isUsed;
    }

    /** Forgets those that are not left any more: the loop has taken one, or one was closed. Safe for any thread. */
    void purge() {
        lock.lock();
        try {
            places = Arrays.stream(places)
                    .filter(place -> place.pair.polls().isLeftTo(channel))
                    .toArray(Place[]::new);
        } finally {
            lock.unlock();
        }
    }

    /** The loop has them all again. Safe for any thread. */
    void giveBack() {
        if (!areAny()) {
            return;
        }
        Place[] all;
        lock.lock();
        try {
            all = places;
            places = NONE;
        } finally {
            lock.unlock();
        }
        for (Place place : all) {
            place.pair.polls().givenBack();
            place.pair.leave();
        }
    }
}
