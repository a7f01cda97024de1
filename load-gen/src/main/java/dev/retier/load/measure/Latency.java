package dev.retier.load.measure;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of a latency, in nanoseconds.
 *
 * @param count how many values
 * @param minNanos smallest, 0 when there is none; this and the following are exact to three digits
 * @param meanNanos mean
 * @param p50Nanos half were at most this long
 * @param p90Nanos 90 % were at most this long
 * @param p99Nanos 99 %
 * @param p999Nanos 99.9 %
 * @param maxNanos largest
 * @param histogramBase64 the whole histogram: HdrHistogram's compressed V2 form in Base64; adds exactly
 */
public record Latency(
        long count,
        long minNanos,
        double meanNanos,
        long p50Nanos,
        long p90Nanos,
        long p99Nanos,
        long p999Nanos,
        long maxNanos,
        String histogramBase64) {
    /** Longer values are recorded as this: one hour. */
    public static final long HIGHEST_NANOS = 3_600_000_000_000L;

    /** Three significant digits: an error of at most 0.1 %. */
    public static final int DIGITS = 3;

    /** An empty histogram of the kind used throughout. */
    public static Histogram newHistogram() {
        return new Histogram(HIGHEST_NANOS, DIGITS);
    }

    /** The figures of {@code histogram}. */
    public static Latency of(Histogram histogram) {
        boolean empty = histogram.getTotalCount() == 0;
        return new Latency(
                histogram.getTotalCount(),
                empty ? 0 : histogram.getMinValue(),
                empty ? 0 : histogram.getMean(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue(),
                LatencyHistograms.encode(histogram));
    }
}
