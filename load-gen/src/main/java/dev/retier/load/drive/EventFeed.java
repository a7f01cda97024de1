package dev.retier.load.drive;

import dev.retier.load.LoadException;
import dev.retier.load.report.EndReason;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.ReadReport;
import dev.retier.load.trace.TraceEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one trace that all clients take their next request from, in order. Thread-safe. */
final class EventFeed {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);

    private final EventStream events;
    private final long maxRequests;
    private long taken;
    private @Nullable EndReason end;
    private @Nullable String problem;

    /** {@code maxRequests} 0 means no limit. */
    EventFeed(EventStream events, long maxRequests) {
        this.events = events;
        this.maxRequests = maxRequests;
    }

    /** The next event, or null when there is no more; {@link #end()} then says why. */
    synchronized @Nullable TraceEvent take() {
        if (end != null) {
            return null;
        }
        if (maxRequests > 0 && taken == maxRequests) {
            end = EndReason.COUNT;
            return null;
        }
        TraceEvent event = read();
        if (event != null) {
            taken++;
        }
        return event;
    }

    /** The next event with the time it is due, or null when there is no more. */
    synchronized @Nullable Work take(Pacing.OpenLoop pacing) {
        long index = taken;
        TraceEvent event = take();
        return event == null ? null : new Work(event, pacing.dueNanos(index, event));
    }

    synchronized @Nullable EndReason end() {
        return end;
    }

    synchronized @Nullable String problem() {
        return problem;
    }

    synchronized ReadReport report() {
        return events.report();
    }

    synchronized void close() {
        events.close();
    }

    private @Nullable TraceEvent read() {
        try {
            TraceEvent event = events.next();
            if (event == null) {
                end = EndReason.TRACE_END;
            }
            return event;
        } catch (LoadException e) {
            end = EndReason.TRACE_UNREADABLE;
            problem = e.getMessage();
            return null;
        } catch (RuntimeException e) {
            LOG.error("reading the trace failed", e);
            end = EndReason.TRACE_UNREADABLE;
            problem = "the trace's reader failed (" + e + "); please report this";
            return null;
        }
    }
}
