package dev.retier.undertow.status;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How many requests are inside the node, and the bound on it. Thread-safe. */
public final class InFlight {
    private final int limit;
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger clients = new AtomicInteger();
    private final CountDownLatch emptied = new CountDownLatch(1);
    private volatile boolean closing;

    /** At most {@code limit} requests at once, at least 1. */
    public InFlight(int limit) {
        this.limit = limit;
    }

    /** Takes a place for one request; false when all are taken. A place taken must be left exactly once. */
    public boolean tryEnter(boolean fromClient) {
        if (all.incrementAndGet() > limit) {
            all.decrementAndGet();
            return false;
        }
        if (fromClient) {
            clients.incrementAndGet();
        }
        return true;
    }

    /** Gives the place back. */
    public void leave(boolean fromClient) {
        if (fromClient) {
            clients.decrementAndGet();
        }
        if (all.decrementAndGet() == 0 && closing) {
            emptied.countDown();
        }
    }

    /** Requests in the node now. */
    public int all() {
        return all.get();
    }

    /** Those of them that came from clients, not from another node. */
    public int fromClients() {
        return clients.get();
    }

    /** True once {@link #close} was called. */
    public boolean isClosing() {
        return closing;
    }

    /** From now on each answer asks its client to disconnect. */
    public void close() {
        closing = true;
        if (all.get() == 0) {
            emptied.countDown();
        }
    }

    /**
     * Waits until the node is empty, after {@link #close}.
     *
     * @return false when {@code millis} passed before
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public boolean awaitEmpty(long millis) throws InterruptedException {
        return emptied.await(millis, TimeUnit.MILLISECONDS);
    }
}
