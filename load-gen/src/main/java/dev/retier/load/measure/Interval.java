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
}
