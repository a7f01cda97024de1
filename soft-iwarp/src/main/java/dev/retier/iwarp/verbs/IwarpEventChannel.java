package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of connection events. As with librdmacm, a connection request whose event nobody has taken ends with its
 * listener and with its channel; one that was taken is the program's to answer. Safe for any thread.
 */
final class IwarpEventChannel extends RdmaEventChannel {
    private static final Logger LOG = LoggerFactory.getLogger(IwarpEventChannel.class);
    private static final AtomicInteger NEXT_NUMBER = new AtomicInteger(1);
    /** Events that may wait; a channel that nobody reads must not grow for ever. */
    private static final int MAX_EVENTS = 1 << 16;

    private final IbvContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final ArrayDeque<RdmaCmEvent> events = new ArrayDeque<>();
    private boolean isFull;

    IwarpEventChannel(IbvContext context) throws IOException {
        super(NEXT_NUMBER.getAndIncrement());
        this.context = context;
    }

    IbvContext context() {
        return context;
    }

    /** Whether it was taken; the first that is lost since there was room is told of here. */
    boolean add(RdmaCmEvent event) {
        boolean isFirstLost;
        lock.lock();
        try {
            if (!isOpen()) {
                return false;
            }
            if (events.size() < MAX_EVENTS) {
                events.add(event);
                isFull = false;
                changed.signal();
                return true;
            }
            isFirstLost = !isFull;
            isFull = true;
        } finally {
            lock.unlock();
        }
        if (isFirstLost) {
            LOG.error("event channel {}: {} events wait; event {} is lost", getFd(), MAX_EVENTS, event.getEvent());
        }
        return false;
    }

    /**
     * The next event, waiting for it; null if none came in time. Negative waits for ever.
     *
     * @throws IOException if the channel was destroyed, also meanwhile, or the thread interrupted
     */
    @Nullable
    RdmaCmEvent next(int timeoutMillis) throws IOException {
        try {
            lock.lockInterruptibly();
            try {
                return await(timeoutMillis);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection event", e);
        }
    }

    private @Nullable RdmaCmEvent await(int timeoutMillis) throws IOException, InterruptedException {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            ensureOpen();
            RdmaCmEvent next = events.poll();
            if (next != null) {
                return next;
            }
            if (timeoutMillis < 0) {
                changed.await();
            } else if (leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            } else {
                return null;
            }
        }
    }

    void ensureOpen() throws IOException {
        if (!isOpen()) {
            throw new IOException("the event channel was destroyed");
        }
    }

    /** Refuses the requests of a listener that was destroyed, but for those that were taken. */
    void forget(RdmaCmId listener) throws IOException {
        List<RdmaCmEvent> left = new ArrayList<>();
        lock.lock();
        try {
            events.removeIf(event -> listener.equals(event.getListenIdPriv()) && left.add(event));
        } finally {
            lock.unlock();
        }
        refuse(left);
    }

    /** Destroys it: whoever waits for an event is told so, and requests that nobody has taken are refused. */
    void destroy() throws IOException {
        List<RdmaCmEvent> left;
        lock.lock();
        try {
            close();
            left = List.copyOf(events);
            events.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        refuse(left);
    }

    /** Events of a listener are requests, and what they are about is nobody's yet. */
    private static void refuse(List<RdmaCmEvent> left) throws IOException {
        for (RdmaCmEvent event : left) {
            if (event.getListenIdPriv() != null && event.getConnIdPriv() instanceof IwarpCmId request) {
                request.close();
                request.destroy();
            }
        }
    }
}
