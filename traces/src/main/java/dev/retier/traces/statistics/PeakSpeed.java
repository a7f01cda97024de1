package dev.retier.traces.statistics;

import dev.retier.traces.EventStream;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The speed at which the busiest second of a replay, wherever it begins, has a wanted number of requests.
 *
 * <p>At speed f a second of the replay is f seconds of the trace. So the busiest one has n requests from the speed on
 * that is the shortest time, in seconds, in which n requests of the trace follow one another: one pass with the times
 * of the last n tells it exactly. Times in a log are often whole seconds; then whole seconds' requests come in at once,
 * and the count jumps there. Two more passes count both sides of the jump.
 *
 * @param speed trace time over replay time
 * @param requests what the busiest second of the replay has at that speed
 */
public record PeakSpeed(double speed, long requests) {
    /** Times of so many requests are held at once. */
    public static final int MOST_WANTED = 10_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * What of a trace is sent.
     *
     * @param limit so many requests at most
     * @param duration what is due before the end of so long a replay; null: all
     */
    public record Sent(long limit, @Nullable Duration duration) {
        /** All of it. */
        public static final Sent WHOLE = new Sent(Long.MAX_VALUE, null);

        /** An event is sent if more nanoseconds of the trace than this pass in a second. */
        private long nanosPerSecond(TraceEvent event) {
            return duration == null ? 0 : (long) (event.offsetNanos() / (duration.toNanos() / NANOS_PER_SECOND));
        }
    }

    /**
     * The speed for {@code wanted} requests in the busiest second, or the one that comes nearest.
     *
     * @param wanted from 1 to {@link #MOST_WANTED}
     * @throws IllegalArgumentException when the trace has fewer requests, or as many at a single instant
     */
    public static PeakSpeed of(Trace trace, int wanted) {
        return of(trace, wanted, Sent.WHOLE);
    }

    /** The same when only a part of the trace is sent. */
    public static PeakSpeed of(Trace trace, int wanted, Sent sent) {
        if (wanted < 1 || wanted > MOST_WANTED) {
            throw new IllegalArgumentException(
                    "a peak of " + wanted + ": 1 to " + MOST_WANTED + " requests per second");
        }
        if (wanted == 1) {
            throw new IllegalArgumentException("a peak of 1 request per second is had at any speed; use --rate");
        }
        long shortest = shortest(trace, wanted, sent);
        if (shortest == Long.MAX_VALUE) {
            throw new IllegalArgumentException("trace " + trace.name() + " has fewer than " + wanted + " requests"
                    + (sent.limit() < Long.MAX_VALUE ? " among the first " + sent.limit() : "") + ", the wanted peak");
        }
        if (shortest == 0) {
            throw new IllegalArgumentException("trace " + trace.name() + " has " + wanted
                    + " requests or more at one instant, so that no speed has a peak of that; spread them with"
                    + " --place");
        }
        long below = busiest(trace, shortest, sent);
        long above = busiest(trace, shortest + 1, sent);
        return wanted - below < above - wanted
                ? new PeakSpeed(shortest / NANOS_PER_SECOND, below)
                : new PeakSpeed((shortest + 1) / NANOS_PER_SECOND, above);
    }

    /**
     * The shortest time from a request to the {@code count - 1}th after it, or what the replay of the latter takes of
     * the trace for each of its seconds, if that is longer.
     */
    private static long shortest(Trace trace, int count, Sent sent) {
        long[] last = new long[count];
        long shortest = Long.MAX_VALUE;
        long index = 0;
        try (EventStream events = trace.open()) {
            for (TraceEvent event = events.next(); event != null && index < sent.limit(); event = events.next()) {
                last[(int) (index % count)] = event.offsetNanos();
                index++;
                if (index >= count) {
                    long gap = event.offsetNanos() - last[(int) (index % count)];
                    shortest = Math.min(shortest, Math.max(gap, sent.nanosPerSecond(event)));
                }
            }
        }
        return shortest;
    }

    /** Most requests within {@code windowNanos}, which pass in a second; the end is not included. */
    private static long busiest(Trace trace, long windowNanos, Sent sent) {
        long most = 0;
        long inside = 0;
        try (EventStream heads = trace.open();
                EventStream tails = trace.open()) {
            TraceEvent tail = tails.next();
            long index = 0;
            for (TraceEvent head = heads.next(); head != null && index < sent.limit(); head = heads.next()) {
                if (sent.nanosPerSecond(head) >= windowNanos) {
                    break;
                }
                index++;
                inside++;
                while (tail != null && head.offsetNanos() - tail.offsetNanos() >= windowNanos) {
                    inside--;
                    tail = tails.next();
                }
                most = Math.max(most, inside);
            }
        }
        return most;
    }
}
