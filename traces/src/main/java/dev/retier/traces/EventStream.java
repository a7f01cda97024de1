package dev.retier.traces;

import org.jspecify.annotations.Nullable;

/** One pass through a trace. One thread at a time, but for {@link #report}, which any may ask for at any time. */
public interface EventStream extends AutoCloseable {
    /**
     * The next event in trace order, or null at the end (and ever after).
     *
     * @throws dev.retier.traces.TraceException when the input can no longer be read; names the input
     */
    @Nullable
    TraceEvent next();

    /** What has been read and skipped so far. */
    ReadReport report();

    @Override
    void close();
}
