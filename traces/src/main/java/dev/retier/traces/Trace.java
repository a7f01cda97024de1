package dev.retier.traces;

import java.util.OptionalLong;

/** A trace that can be gone through more than once, each time with the same events in the same order. Thread-safe. */
public interface Trace {
    /** Short name for reports: a file name, or the generator and its parameters. */
    String name();

    /**
     * Starts a new pass; the caller closes it.
     *
     * @throws dev.retier.traces.TraceException when the input cannot be opened
     */
    EventStream open();

    /** How many events a pass yields, where that is known beforehand. */
    OptionalLong eventCount();
}
