package dev.retier.traces;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a reader met on its way. {@code read = events + bad + notReplayed} always.
 *
 * @param read whole records or lines seen
 * @param events events handed out
 * @param bad records with a field out of range, or lines that make no sense; skipped
 * @param notReplayed sound records whose method is not among the {@link ReplayedMethods}; skipped
 * @param outOfOrder records older than their predecessor; kept in file order with the predecessor's time
 * @param truncatedTailBytes bytes of an incomplete last record, 0 when the input ends cleanly
 * @param samples the first few problems, one line each, at most {@link #MAX_SAMPLES}
 */
public record ReadReport(
        long read,
        long events,
        long bad,
        long notReplayed,
        long outOfOrder,
        int truncatedTailBytes,
        List<String> samples) {
    /** Enough to see what is wrong with an input; the counters tell how often. */
    public static final int MAX_SAMPLES = 5;

    /** Nothing read yet. */
    public static final ReadReport EMPTY = new ReadReport(0, 0, 0, 0, 0, 0, List.of());

    /** Copies the samples. */
    public ReadReport {
        samples = List.copyOf(samples);
    }

    /** A generator's report: everything it made was handed out. */
    public static ReadReport allGood(long events) {
        return new ReadReport(events, events, 0, 0, 0, 0, List.of());
    }

    /** Whether anything at all was wrong with the input. */
    public boolean isClean() {
        return bad == 0 && outOfOrder == 0 && truncatedTailBytes == 0;
    }

    /** Both together; the samples of this one come first. */
    public ReadReport plus(ReadReport other) {
        return new ReadReport(
                read + other.read,
                events + other.events,
                bad + other.bad,
                notReplayed + other.notReplayed,
                outOfOrder + other.outOfOrder,
                truncatedTailBytes + other.truncatedTailBytes,
                Stream.concat(samples.stream(), other.samples.stream())
                        .limit(MAX_SAMPLES)
                        .toList());
    }
}
