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
    /** No good answer came for the stall limit. */
    STALLED,
    /** The trace could not be read on; {@link LoadResult#problem()} says why. */
    TRACE_UNREADABLE
}
