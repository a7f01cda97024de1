package dev.retier.traces.statistics;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a trace is like. Memory grows with the distinct objects, up to {@link #MAX_OBJECTS}.
 *
 * @param name of the trace
 * @param requests events
 * @param spanSeconds from the first to the last event
 * @param meanPerSecond requests per second, over the whole seconds of the trace; the last one, which ends with the last
 *     event, counts only in a trace that has no other
 * @param peakPerSecond most requests in one second of trace time
 * @param peakToMean how much the peak is above the mean
 * @param indexOfDispersion variance over mean of the counts of whole seconds: 1 on average for Poisson arrivals, above
 *     it bursty; 0 with fewer than two
 * @param staticRequests of class static
 * @param dynamicRequests of class dynamic
 * @param conditionalRequests answered 304 originally
 * @param bytes sum of the known sizes
 * @param clients distinct clients, counted up to {@link #MAX_OBJECTS}
 * @param objects distinct targets, counted up to {@link #MAX_OBJECTS}
 * @param topTenShare share of the requests that the ten most popular targets get
 * @param zipfSlope slope of log count over log rank for the top {@link #SLOPE_RANKS} targets; 0 with fewer than 10
 * @param segments number of the last segment plus one
 * @param reading how the reading went
 */
public record TraceStatistics(
        String name,
        long requests,
        double spanSeconds,
        double meanPerSecond,
        long peakPerSecond,
        double peakToMean,
        double indexOfDispersion,
        long staticRequests,
        long dynamicRequests,
        long conditionalRequests,
        long bytes,
        int clients,
        int objects,
        double topTenShare,
        double zipfSlope,
        int segments,
        ReadReport reading) {
    /** Distinct targets and clients told apart. */
    public static final int MAX_OBJECTS = 1 << 20;

    /** Ranks that the slope is fitted to: beyond them counts are too small to say anything. */
    public static final int SLOPE_RANKS = 300;

    /** Goes through {@code trace} once. */
    public static TraceStatistics of(Trace trace) {
        Gatherer gatherer = new Gatherer();
        try (EventStream events = trace.open()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                gatherer.add(event);
            }
            return gatherer.statistics(trace.name(), events.report());
        }
    }

    private static final class Gatherer {
        private static final double NANOS_PER_SECOND = 1e9;
        private static final int TOP = 10;

        private final Map<String, long[]> objects = new HashMap<>();
        private final Map<Long, Boolean> clients = new HashMap<>();
        private long requests;
        private long dynamic;
        private long conditional;
        private long bytes;
        private long lastNanos;
        private long second;
        private long inSecond;
        private long peak;
        private double sumOfSquares;
        private int lastSegment = -1;

        void add(TraceEvent event) {
            requests++;
            dynamic += event.requestClass() == RequestClass.DYNAMIC ? 1 : 0;
            conditional += event.conditional() ? 1 : 0;
            bytes += Math.max(0, event.sizeBytes());
            lastNanos = event.offsetNanos();
            lastSegment = Math.max(lastSegment, event.segment());
            long secondOfEvent = (long) (event.offsetNanos() / NANOS_PER_SECOND);
            if (secondOfEvent != second) {
                endSecond();
                second = secondOfEvent;
            }
            inSecond++;
            long[] count = objects.get(event.target());
            if (count == null && objects.size() < MAX_OBJECTS) {
                count = new long[1];
                objects.put(event.target(), count);
            }
            if (count != null) {
                count[0]++;
            }
            if (clients.size() < MAX_OBJECTS) {
                clients.put(event.clientId(), Boolean.TRUE);
            }
        }

        TraceStatistics statistics(String name, ReadReport reading) {
            long inLast = inSecond;
            peak = Math.max(peak, inLast);
            boolean isShort = second == 0;
            double mean = isShort ? inLast : (double) (requests - inLast) / second;
            double variance = second < 2 ? 0 : (sumOfSquares - mean * mean * second) / (second - 1);
            List<Long> ranked = objects.values().stream()
                    .map(count -> count[0])
                    .sorted(Comparator.reverseOrder())
                    .limit(SLOPE_RANKS)
                    .toList();
            long top = ranked.stream().limit(TOP).mapToLong(Long::longValue).sum();
            boolean any = requests > 0;
            return new TraceStatistics(
                    name,
                    requests,
                    lastNanos / NANOS_PER_SECOND,
                    mean,
                    peak,
                    mean > 0 ? peak / mean : 0,
                    mean > 0 ? variance / mean : 0,
                    requests - dynamic,
                    dynamic,
                    conditional,
                    bytes,
                    clients.size(),
                    objects.size(),
                    any ? (double) top / requests : 0,
                    slope(ranked),
                    lastSegment + 1,
                    reading);
        }

        private void endSecond() {
            peak = Math.max(peak, inSecond);
            sumOfSquares += (double) inSecond * inSecond;
            inSecond = 0;
        }

        private static double slope(List<Long> ranked) {
            int n = ranked.size();
            if (n < TOP) {
                return 0;
            }
            double sumX = 0;
            double sumY = 0;
            double sumXy = 0;
            double sumXx = 0;
            for (int rank = 1; rank <= n; rank++) {
                double x = Math.log(rank);
                double y = Math.log(ranked.get(rank - 1));
                sumX += x;
                sumY += y;
                sumXy += x * y;
                sumXx += x * x;
            }
            return (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
        }
    }
}
