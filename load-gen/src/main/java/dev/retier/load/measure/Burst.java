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

    /** The same, {@code millis} later. */
    public Burst later(double millis) {
        return new Burst(segment, kind, firstSentMillis + millis, lastDoneMillis + millis, sent, answered, failed);
    }

    /** Both counted together; the segment must be the same. */
    public Burst plus(Burst other) {
        return new Burst(
                segment,
                kind == other.kind ? kind : Kind.MIXED,
                Math.min(firstSentMillis, other.firstSentMillis),
                Math.max(lastDoneMillis, other.lastDoneMillis),
                sent + other.sent,
                answered + other.answered,
                failed + other.failed);
    }
}
