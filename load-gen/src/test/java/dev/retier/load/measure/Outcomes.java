package dev.retier.load.measure;

import dev.retier.traces.TraceEvent;

/** Ends of requests. Times in nanoseconds. */
public final class Outcomes {
    private static final String TARGET = "a:1";

    private Outcomes() {}

    /** A good answer at {@code now}, {@code response} after its due time. */
    public static Outcome answered(TraceEvent event, long bodyBytes, long service, long response, long now) {
        return new Attempt(Work.due(event, now - response), TARGET, now - service, now).answered(200, bodyBytes);
    }

    /** A failure at {@code now}, {@code waited} after its due time. */
    public static Outcome failed(TraceEvent event, String target, FailureKind kind, long waited, long now) {
        return new Attempt(Work.due(event, now - waited), target, now - waited, now).failed(kind);
    }

    /** Given up at {@code now}, {@code waited} after its due time. */
    public static Outcome dropped(TraceEvent event, long waited, long now) {
        return new Attempt(Work.due(event, now - waited), TARGET, now, now).dropped(waited);
    }
}
