package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue of connection events. Safe for any thread. */
final class IwarpEventChannel extends RdmaEventChannel {
    private static final Logger LOG = LoggerFactory.getLogger(IwarpEventChannel.class);
    private static final AtomicInteger NEXT_NUMBER = new AtomicInteger(1);
    /** Events that may wait; a channel that nobody reads must not grow for ever. */
    private static final int MAX_EVENTS = 1 << 16;

    private final LinkedBlockingQueue<RdmaCmEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final IbvContext context;
    private volatile boolean isFull;

    IwarpEventChannel(IbvContext context) throws IOException {
        super(NEXT_NUMBER.getAndIncrement());
        this.context = context;
    }

    IbvContext context() {
        return context;
    }

    /** Whether there was room for it; the first that is lost since there was is told of here. */
    boolean add(RdmaCmEvent event) {
        boolean isTaken = events.offer(event);
        if (!isTaken && !isFull) {
            LOG.error("event channel {}: {} events wait; event {} is lost", getFd(), MAX_EVENTS, event.getEvent());
        }
        isFull = !isTaken;
        return isTaken;
    }

    /** The next event, waiting for it; null if none came in time. Negative waits for ever. */
    @Nullable
    RdmaCmEvent next(int timeoutMillis) throws IOException {
        try {
            return timeoutMillis < 0 ? events.take() : events.poll(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection event", e);
        }
    }
}
