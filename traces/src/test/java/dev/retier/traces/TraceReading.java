package dev.retier.traces;

import java.util.ArrayList;
import java.util.List;

/** Whole traces as lists, for tests. Stateless. */
public final class TraceReading {
    private TraceReading() {}

    /** All events of one pass. */
    public static List<TraceEvent> drain(Trace trace) {
        try (EventStream events = trace.open()) {
            return drain(events);
        }
    }

    /** All events that are left, of a stream that stays open. */
    public static List<TraceEvent> drain(EventStream events) {
        List<TraceEvent> read = new ArrayList<>();
        for (TraceEvent event = events.next(); event != null; event = events.next()) {
            read.add(event);
        }
        return read;
    }
}
