package dev.retier.agent.http;

import java.net.SocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a listener, at most so many. A new one always finds a place: if all are taken, the one that has
 * been without a request for longest is closed, so that slow clients keep nobody else out. Those that wait for an
 * answer by the server's leave are kept. Thread-safe.
 */
final class ConnectionPlaces {
    private static final int FEW = 64;

    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    /** Longest without a request first. Guarded by the lock. */
    private final Map<SocketAddress, Place> places = new LinkedHashMap<>();

    private int sweepAt = FEW;

    /** A connection. */
    interface Connection {
        /** Whether it is not closed yet. */
        boolean isOpen();

        /** Closes it, whatever is on it. */
        void close();
    }

    private static final class Place {
        private final Connection connection;
        private boolean isKept;

        private Place(Connection connection) {
            this.connection = connection;
        }
    }

    /** For at most {@code most} connections, of which fewer than that are ever kept. */
    ConnectionPlaces(int most) {
        this.most = most;
    }

    /** Gives a place to a connection that has just come. */
    void take(SocketAddress peer, Connection connection) {
        Connection evicted;
        lock.lock();
        try {
            evicted = makeRoom();
            places.put(peer, new Place(connection));
        } finally {
            lock.unlock();
        }
        if (evicted != null) {
            evicted.close();
        }
    }

    /** Closed ones are forgotten when their number may have doubled, or when there is no room; then one must go. */
    private @Nullable Connection makeRoom() {
        if (places.size() >= Math.min(most, sweepAt)) {
            places.values().removeIf(place -> !place.connection.isOpen());
            sweepAt = Math.max(FEW, 2 * places.size());
        }
        if (places.size() < most) {
            return null;
        }
        for (Iterator<Place> all = places.values().iterator(); all.hasNext(); ) {
            Place place = all.next();
            if (!place.isKept) {
                all.remove();
                return place.connection;
            }
        }
        throw new IllegalStateException("all of " + most + " connections are kept");
    }

    /** A request of {@code peer} waits by the server's leave; its connection is not closed for others until it ends. */
    void keep(SocketAddress peer) {
        lock.lock();
        try {
            Place place = places.get(peer);
            if (place != null) {
                place.isKept = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** A request of {@code peer} was answered: of all, it is the last to be closed for others. */
    void answered(SocketAddress peer) {
        lock.lock();
        try {
            Place place = places.remove(peer);
            if (place != null) {
                place.isKept = false;
                places.put(peer, place);
            }
        } finally {
            lock.unlock();
        }
    }
}
