package dev.retier.load.report;

/** Why a run ended. */
public enum EndReason {
    /** All events of the trace were sent. */
    TRACE_END,
    /** The wanted number of requests was sent. */
    COUNT,
    /** The wanted time was over. */
    DURATION,
    /** Somebody stopped it. */
    STOPPED,
    /** No answer came for the stall limit. */
    STALLED,
    /** The trace could not be read on; {@link LoadResult#problem()} says why. */
    TRACE_UNREADABLE,
    /** The line of each request could not be written fast enough, or at all; {@link LoadResult#problem()} says why. */
    REQUESTS_UNWRITABLE
}
