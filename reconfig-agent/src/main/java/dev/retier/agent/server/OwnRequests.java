package dev.retier.agent.server;

import dev.retier.agent.status.ServerPage;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the agent's own requests at a server, and takes them out of its pages. Thread-safe. */
final class OwnRequests {
    private final ReentrantLock lock = new ReentrantLock();
    private long made; // guarded by lock, since the server's counter began
    private long lastRaw; // guarded by lock
    private long lastTold; // guarded by lock

    /** One more was made. */
    void add() {
        lock.lock();
        try {
            made++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The page with the requests of others alone. They never become fewer while the server's own counter does not: a
     * request under way may be in one of the two figures and not yet in the other. When it does, it began anew.
     */
    ServerPage without(ServerPage page) {
        lock.lock();
        try {
            if (page.requests() < lastRaw) {
                made = 0;
                lastTold = 0;
            }
            lastRaw = page.requests();
            lastTold = Math.max(lastTold, page.requests() - made);
            return new ServerPage(
                    Math.max(0, lastTold),
                    page.inFlight(),
                    page.busyShare(),
                    page.uptimeSeconds(),
                    page.program(),
                    page.generation());
        } finally {
            lock.unlock();
        }
    }
}
