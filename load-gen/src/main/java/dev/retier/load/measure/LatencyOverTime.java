package dev.retier.load.measure;

import java.util.List;

/**
 * The latencies of a run, interval by interval; their intervals may be longer than those of the counts.
 *
 * @param intervalMillis length of the intervals
 * @param intervals from the start to the last good answer
 */
public record LatencyOverTime(double intervalMillis, List<LatencyInterval> intervals) {
    /** Copies the list. */
    public LatencyOverTime {
        intervals = List.copyOf(intervals);
    }
}
