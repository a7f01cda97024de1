package dev.retier.load.measure;

/**
 * What the streams of a run did in one interval.
 *
 * @param startMillis since the start of the run
 * @param opened streams opened
 * @param over streams that ended, whoever ended them
 * @param ended those of them that were ended before their time
 * @param open streams open at the end of the interval
 * @param events events or messages that came
 * @param bytes of content that came
 * @param messagesSent messages that were sent
 */
public record StreamInterval(
        long startMillis, long opened, long over, long ended, long open, long events, long bytes, long messagesSent) {
    /** Nothing, from {@code startMillis} on, with {@code open} streams open. */
    public static StreamInterval empty(long startMillis, long open) {
        return new StreamInterval(startMillis, 0, 0, 0, open, 0, 0, 0);
    }

    /** The same counts, as of another start. */
    public StreamInterval at(long newStartMillis) {
        return new StreamInterval(newStartMillis, opened, over, ended, open, events, bytes, messagesSent);
    }

    /** Both counted together, as of this start; {@code open} is this one's. */
    public StreamInterval plus(StreamInterval other) {
        return new StreamInterval(
                startMillis,
                opened + other.opened,
                over + other.over,
                ended + other.ended,
                open,
                events + other.events,
                bytes + other.bytes,
                messagesSent + other.messagesSent);
    }

    /** The same, with {@code newOpen} streams open at its end. */
    public StreamInterval open(long newOpen) {
        return new StreamInterval(startMillis, opened, over, ended, newOpen, events, bytes, messagesSent);
    }
}
