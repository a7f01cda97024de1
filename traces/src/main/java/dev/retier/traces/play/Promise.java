package dev.retier.traces.play;

import java.time.Duration;

/**
 * What a site was promised, and whether an interval of a run kept it: the one rule for real servers and simulated ones.
 * Immutable, thread-safe.
 *
 * <p>An open loop asks whether users got what they asked for, up to the promise: of the requests that were due in the
 * interval, as many as were promised, or all if that is fewer, must have been answered well within {@link
 * #answerWithin} of their due time. So a server that stands still keeps nothing while it does, however little was asked
 * for. In a closed loop slow answers keep clients from asking: there the promised number must have been answered in the
 * interval, unless all clients were thinking for the whole of it.
 *
 * @param perSecond good answers per second, above 0
 * @param interval in which it is judged, at least 1 ms
 * @param answerWithin how long after its due time an answer still counts, at least 1 ms
 */
public record Promise(double perSecond, Duration interval, Duration answerWithin) {
    /** In which promises are judged unless something else is asked for; also how soon answers must come. */
    public static final Duration SECOND = Duration.ofSeconds(1);

    private static final double NANOS_PER_SECOND = 1e9;

    /** Refuses what is out of range with {@link IllegalArgumentException}. */
    public Promise {
        if (!(perSecond > 0) || interval.toMillis() < 1 || answerWithin.toMillis() < 1) {
            throw new IllegalArgumentException("a promise of " + perSecond + "/s, judged each " + interval.toMillis()
                    + " ms, answers within " + answerWithin.toMillis()
                    + " ms: the rate must be above 0, the times at least 1 ms");
        }
    }

    /** The longer of the two. */
    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** So many good answers per second, each within a second. */
    public static Promise of(double perSecond) {
        return new Promise(perSecond, SECOND, SECOND);
    }

    /** The promised number of answers in one interval. */
    public double perInterval() {
        return perSecond * interval.toNanos() / NANOS_PER_SECOND;
    }

    /**
     * Whether an interval of an open loop kept it.
     *
     * @param due requests due in the interval
     * @param well those of them that were answered well in time
     */
    public boolean isKept(long due, long well) {
        return well >= Math.min(perInterval(), (double) due);
    }

    /**
     * Whether an interval of a closed loop kept it.
     *
     * @param answered good answers in the interval
     * @param isAsked whether a request was under way at any time in it
     */
    public boolean isKeptByClients(long answered, boolean isAsked) {
        return answered >= perInterval() || !isAsked;
    }
}
