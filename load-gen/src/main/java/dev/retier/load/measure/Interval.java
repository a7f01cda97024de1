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
 */
public record Interval(
        long startMillis,
        long sent,
        long staticAnswered,
        long dynamicAnswered,
        long failed,
        long dropped,
        long bodyBytes) {
    /** Good answers of both classes. */
    public long answered() {
        return staticAnswered + dynamicAnswered;
    }

    /** Nothing at all, from {@code startMillis} on. */
    public static Interval empty(long startMillis) {
        return new Interval(startMillis, 0, 0, 0, 0, 0, 0);
    }

    /** The same counts, as of another start. */
    public Interval at(long newStartMillis) {
        return new Interval(newStartMillis, sent, staticAnswered, dynamicAnswered, failed, dropped, bodyBytes);
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
                bodyBytes + other.bodyBytes);
    }
}
