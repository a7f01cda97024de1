package dev.retier.load.measure;

/**
 * What happened in one interval of a run.
 *
 * @param startMillis since the start of the run
 * @param sent requests begun
 * @param staticAnswered static requests completed with a good answer
 * @param dynamicAnswered dynamic requests completed with a good answer
 * @param failed requests that failed
 * @param dropped requests given up by the generator itself
 * @param bodyBytes body bytes of good answers
 * @param due requests that were due in it, whenever they were begun; in a closed loop those begun in it
 * @param well those of {@code due} that were answered well in time, whenever that was
 */
public record Interval(
        long startMillis,
        long sent,
        long staticAnswered,
        long dynamicAnswered,
        long failed,
        long dropped,
        long bodyBytes,
        long due,
        long well) {
    /** Good answers of both classes. */
    public long answered() {
        return staticAnswered + dynamicAnswered;
    }

    /** Nothing at all, from {@code startMillis} on. */
    public static Interval empty(long startMillis) {
        return new Interval(startMillis, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** The same counts, as of another start. */
    public Interval at(long newStartMillis) {
        return new Interval(
                newStartMillis, sent, staticAnswered, dynamicAnswered, failed, dropped, bodyBytes, due, well);
    }

    /** Both counted together, as of this start. */
    public Interval plus(Interval other) {
        return new Interval(
                startMillis,
                sent + other.sent,
                staticAnswered + other.staticAnswered,
                dynamicAnswered + other.dynamicAnswered,
                failed + other.failed,
                dropped + other.dropped,
                bodyBytes + other.bodyBytes,
                due + other.due,
                well + other.well);
    }
}
