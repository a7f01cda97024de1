package dev.retier.load.measure;

/**
 * What one segment of the trace went through.
 *
 * @param segment its number in the trace
 * @param kind the class of its requests
 * @param firstSentMillis since the start of the run
 * @param lastDoneMillis when its last request was answered or failed, since the start of the run; before the first is
 *     done, the same as {@code firstSentMillis}
 * @param sent requests begun
 * @param answered good answers
 * @param failed failed requests
 */
public record Burst(
        int segment, Kind kind, double firstSentMillis, double lastDoneMillis, long sent, long answered, long failed) {
    /** The class of the requests of a segment. */
    public enum Kind {
        /** All static. */
        STATIC,
        /** All dynamic. */
        DYNAMIC,
        /** Some of each. */
        MIXED
    }

    /** Good answers per second from first send to last completion; 0 when nothing was answered. */
    public double answeredPerSecond() {
        double millis = lastDoneMillis - firstSentMillis;
        return millis > 0 ? answered * 1000 / millis : 0;
    }
}
