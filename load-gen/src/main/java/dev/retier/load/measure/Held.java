package dev.retier.load.measure;

/**
 * What became of a stream that was opened. Times in nanoseconds since the start of the run.
 *
 * @param openedNanos when the head of its answer was complete, and good
 * @param firstNanos when its first event, message or other content was there; {@link #NOTHING} when none came
 * @param events events or messages that came
 * @param bytes of content that came
 */
public record Held(long openedNanos, long firstNanos, long events, long bytes) {
    /** Stands for the time of what never happened. */
    public static final long NOTHING = -1;
}
