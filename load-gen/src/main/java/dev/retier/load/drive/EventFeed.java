package dev.retier.load.drive;

import dev.retier.load.measure.Work;
import dev.retier.load.report.EndReason;
import dev.retier.load.schedule.Pacing;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one trace that all clients take their next request from, in order. A thread of its own reads it, some thousand
 * events ahead, so that a slow disk or a silent pipe never keeps an event loop from its sockets. Thread-safe.
 */
final class EventFeed {
    /** Events held at most; a body counts as one event for each KiB. */
    static final int MOST_HELD = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);

    private final EventStream events;
    private final long maxRequests;
    private final Thread reader;
    /** Guarded by this, as is all that follows. */
    private final ArrayDeque<TraceEvent> held = new ArrayDeque<>();

    /** A few: one for each event loop. */
    private final List<Runnable> hungry = new ArrayList<>();

    private int heldWeight;
    private boolean isFull;
    private boolean isClosed;
    private long taken;
    private @Nullable EndReason readToEnd;
    private @Nullable EndReason end;
    private @Nullable String problem;

    /**
     * Begins to read.
     *
     * @param maxRequests 0 means no limit
     */
    EventFeed(EventStream events, long maxRequests) {
        this.events = events;
        this.maxRequests = maxRequests;
        this.reader = Thread.ofPlatform().daemon().name("load-trace").unstarted(this::readAll);
        reader.start();
    }

    /**
     * The next event. Null when there is no more, and {@link #end()} then says why; or when there is none yet, and then
     * {@code wake} is run once, on any thread, when that may have changed; a wake that waits already is not run twice.
     */
    @Nullable
    TraceEvent take(Runnable wake) {
        synchronized (this) {
            return next(wake);
        }
    }

    /** The next event with the time it is due; null as {@link #take(Runnable)} says. */
    @Nullable
    Work take(Pacing.OpenLoop pacing, Runnable wake) {
        synchronized (this) {
            long index = taken;
            TraceEvent event = next(wake);
            return event == null ? null : Work.due(event, pacing.dueNanos(index, event));
        }
    }

    private @Nullable TraceEvent next(Runnable wake) {
        if (end == null && maxRequests > 0 && taken == maxRequests) {
            end = EndReason.COUNT;
        }
        if (end != null) {
            return null;
        }
        TraceEvent event = held.poll();
        if (event == null) {
            end = readToEnd;
            if (end == null && !hungry.contains(wake)) {
                hungry.add(wake);
            }
            return null;
        }
        taken++;
        heldWeight -= event.weight();
        if (isFull && heldWeight <= MOST_HELD / 2) {
            isFull = false;
            notifyAll();
        }
        return event;
    }

    /** Why there is no more, once somebody was told that there is none. */
    synchronized @Nullable EndReason end() {
        return end;
    }

    synchronized @Nullable String problem() {
        return problem;
    }

    /** What has been read so far, also ahead. */
    ReadReport report() {
        return events.report();
    }

    /** Nobody takes any more. Does not wait for a reader that is waiting for its input. */
    void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        reader.interrupt();
    }

    private void readAll() {
        EndReason reason = EndReason.TRACE_UNREADABLE;
        String trouble = null;
        try (events) {
            TraceEvent event = events.next();
            while (event != null && hold(event)) {
                event = events.next();
            }
            reason = EndReason.TRACE_END;
        } catch (TraceException e) {
            trouble = e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error("reading the trace failed", e);
            trouble = "the trace's reader failed (" + e + "); please report this";
        }
        List<Runnable> waiting;
        synchronized (this) {
            readToEnd = reason;
            problem = trouble;
            waiting = eaters();
        }
        wake(waiting);
    }

    /** Waits for room; false when nobody takes any more. */
    private boolean hold(TraceEvent event) throws InterruptedException {
        List<Runnable> waiting;
        synchronized (this) {
            isFull = heldWeight >= MOST_HELD;
            while (isFull && !isClosed) {
                wait();
            }
            if (isClosed) {
                return false;
            }
            held.add(event);
            heldWeight += event.weight();
            waiting = eaters();
        }
        wake(waiting);
        return true;
    }

    private static void wake(List<Runnable> waiting) {
        try {
            waiting.forEach(Runnable::run);
        } catch (RejectedExecutionException e) {
            LOG.debug("the event loops have ended: nobody waits for the trace any more", e);
        }
    }

    private List<Runnable> eaters() {
        if (hungry.isEmpty()) {
            return List.of();
        }
        List<Runnable> all = List.copyOf(hungry);
        hungry.clear();
        return all;
    }
}
