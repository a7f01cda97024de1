package dev.retier.load.measure;

import org.HdrHistogram.Histogram;

/**
 * The latencies of one interval, to two digits.
 *
 * @param startMillis since the start of the run
 * @param count good answers in it; all that follows is 0 when there was none
 * @param p50Nanos half took at most this long
 * @param p90Nanos 90 %
 * @param p99Nanos 99 %
 * @param maxNanos largest
 * @param histogramBase64 the whole histogram: HdrHistogram's compressed V2 form in Base64, empty text for none
 */
public record LatencyInterval(
        long startMillis,
        long count,
        long p50Nanos,
        long p90Nanos,
        long p99Nanos,
        long maxNanos,
        String histogramBase64) {
    /** Shorter latencies are not told apart: 1 us. */
    private static final long LOWEST_NANOS = 1_000;

    private static final int DIGITS = 2;

    /** An empty histogram of the kind used for intervals. */
    public static Histogram newHistogram() {
        return new Histogram(LOWEST_NANOS, Latency.HIGHEST_NANOS, DIGITS);
    }

    /** The figures of {@code histogram}. */
    public static LatencyInterval of(long startMillis, Histogram histogram) {
        boolean empty = histogram.getTotalCount() == 0;
        return new LatencyInterval(
                startMillis,
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue(),
                empty ? "" : LatencyHistograms.encode(histogram));
    }

    /**
     * The whole histogram.
     *
     * @throws IllegalArgumentException when its Base64 text is damaged
     */
    public Histogram histogram() {
        return histogramBase64.isEmpty() ? newHistogram() : LatencyHistograms.decode(histogramBase64);
    }

    /** Nothing at all, from {@code startMillis} on. */
    public static LatencyInterval empty(long startMillis) {
        return new LatencyInterval(startMillis, 0, 0, 0, 0, 0, "");
    }

    /** The same latencies, as of another start. */
    public LatencyInterval at(long newStartMillis) {
        return new LatencyInterval(newStartMillis, count, p50Nanos, p90Nanos, p99Nanos, maxNanos, histogramBase64);
    }

    /** Both counted together, as of this start. */
    public LatencyInterval plus(LatencyInterval other) {
        Histogram sum = histogram();
        sum.add(other.histogram());
        return of(startMillis, sum);
    }
}
