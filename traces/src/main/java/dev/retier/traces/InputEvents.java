package dev.retier.traces;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What all readers of recorded traces do alike: skip and count what cannot be sent, and put the rest in order of time.
 * An entry older than the one before it keeps its place in the file and gets that one's time; an entry that is absurdly
 * newer is bad, as a replay would have to wait for it. Closing it closes the input. One thread.
 */
public abstract class InputEvents implements EventStream {
    /** No log is silent for so long: 366 days. */
    static final long LONGEST_GAP_NANOS = 366L * 86_400 * 1_000_000_000;

    /** A trace is at most 140 years long, so that two of them can be laid end to end. */
    public static final long LATEST_OFFSET_NANOS = Long.MAX_VALUE / 2;

    /** In the place of a time: the entry is none to send. */
    protected static final long LEFT_OUT = -1;

    private final String name;
    private final InputStream in;
    private final ReplayedMethods methods;
    private final ReadCounters counters = new ReadCounters();
    private boolean started;
    private long startNanos;
    private long latestNanos;
    private boolean ended;

    /**
     * Reads decompressed bytes.
     *
     * @param name of the input, for messages
     * @param methods which requests are sent
     */
    protected InputEvents(String name, InputStream in, ReplayedMethods methods) {
        this.name = name;
        this.in = in;
        this.methods = methods;
    }

    /**
     * Moves to the next entry; false at the end of the input.
     *
     * @throws IOException as the input does
     */
    protected abstract boolean advance() throws IOException;

    /** The present entry, or null when it is none to send, which is then counted. */
    protected abstract @Nullable TraceEvent event();

    /** Where the reader is, such as {@code line 7}. */
    protected abstract String place();

    @Override
    public final @Nullable TraceEvent next() {
        while (!ended) {
            TraceEvent event = hasNext() ? event() : null;
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    @Override
    public final ReadReport report() {
        return counters.report();
    }

    @Override
    public final void close() {
        ended = true;
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Entries so far, good and bad. */
    protected final long read() {
        return counters.read();
    }

    /** The input ended within an entry, of which there are {@code bytes}; {@code sample} says so to people. */
    protected final void truncatedTail(int bytes, String sample) {
        counters.truncatedTail(bytes, sample);
    }

    /** Counts the present entry as bad. */
    protected final @Nullable TraceEvent bad(String reason) {
        counters.bad(place() + ": " + reason);
        return null;
    }

    /**
     * Counts the present entry, a request of {@code method}.
     *
     * @return its time since the first one; {@link #LEFT_OUT} when it is not to be sent
     */
    protected final long offsetNanos(long timeNanos, RequestMethod method) {
        if (!methods.include(method)) {
            counters.notReplayed();
            return LEFT_OUT;
        }
        if (!started) {
            started = true;
            startNanos = timeNanos;
            latestNanos = timeNanos;
        }
        if (isAbsurd(timeNanos)) {
            bad("its time is more than a year after the one before");
            return LEFT_OUT;
        }
        counters.event();
        if (timeNanos < latestNanos) {
            counters.outOfOrder();
        }
        latestNanos = Math.max(latestNanos, timeNanos);
        return latestNanos - startNanos;
    }

    private boolean isAbsurd(long timeNanos) {
        // Each difference is of two numbers of which the larger comes first, so it is negative only by overflow.
        boolean later = timeNanos > latestNanos;
        long gap = timeNanos - latestNanos;
        long offset = timeNanos - startNanos;
        return later && (gap < 0 || gap > LONGEST_GAP_NANOS || offset < 0 || offset > LATEST_OFFSET_NANOS);
    }

    private boolean hasNext() {
        try {
            ended = !advance();
            return !ended;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private TraceException unreadable(IOException e) {
        return new TraceException(
                "trace " + name + ": cannot be read past " + place() + " (" + e.getMessage()
                        + "); fetch the file again or repair it with gzip -t",
                e);
    }
}
