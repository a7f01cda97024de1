package dev.retier.load.measure;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a live view shows of a run. Taking one keeps no event loop waiting for longer than it takes to add up a few
 * counters, whatever has been counted so far.
 *
 * @param totals so far
 * @param lastInterval the last interval that is over
 * @param intervalNanos its length
 * @param lastLatency response times in the last interval that is over
 * @param segment the segment being sent, or -1
 * @param kind the kind of that segment
 * @param openStreams streams open now
 * @param eventsPerSecond events that came over them in the last interval that is over
 */
public record Glance(
        Totals totals,
        Interval lastInterval,
        long intervalNanos,
        LatencyInterval lastLatency,
        int segment,
        Burst.Kind kind,
        long openStreams,
        double eventsPerSecond) {
    /** At what {@code parts} (at least one) have counted together until {@code nowNanos}. */
    public static Glance of(List<RunMeter> parts, long nowNanos) {
        // A meter that counted nothing for long may still have shorter intervals than the others.
        long intervalNanos =
                parts.stream().mapToLong(RunMeter::intervalNanos).max().orElseThrow();
        RunMeter first = parts.getFirst();
        Totals totals = first.totals();
        Interval interval = first.lastInterval(nowNanos, intervalNanos);
        Histogram latency = LatencyInterval.newHistogram();
        first.addLastLatency(nowNanos, latency);
        RunMeter latest = first;
        for (RunMeter part : parts.subList(1, parts.size())) {
            totals = totals.plus(part.totals());
            interval = interval.plus(part.lastInterval(nowNanos, intervalNanos));
            part.addLastLatency(nowNanos, latency);
            latest = part.latestSegment() > latest.latestSegment() ? part : latest;
        }
        return new Glance(
                totals,
                interval,
                intervalNanos,
                LatencyInterval.of(interval.startMillis(), latency),
                latest.latestSegment(),
                latest.latestKind(),
                parts.stream().mapToLong(part -> part.streams().open()).sum(),
                parts.stream()
                        .mapToDouble(part -> part.streams().eventsPerSecond(nowNanos))
                        .sum());
    }
}
