package dev.retier.traces.text;

import dev.retier.traces.TraceEvent;

/** What a line of a text trace says. */
public sealed interface LineResult {
    /**
     * A request.
     *
     * @param timeNanos when: since any fixed point, the same for all lines of a trace
     * @param request the request at offset 0; the reader puts it in its place
     */
    record Request(long timeNanos, TraceEvent request) implements LineResult {}

    /**
     * Nothing that can be sent.
     *
     * @param reason in a few words
     */
    record Bad(String reason) implements LineResult {}

    /** No request and no mistake: an empty line, a comment, a heading. */
    record Nothing() implements LineResult {}
}
