package dev.retier.load.drive;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.Totals;
import dev.retier.load.target.TargetList;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is now, for a live view.
 *
 * @param running whether requests are still being sent or awaited
 * @param elapsedMillis since the start
 * @param totals so far
 * @param lastInterval the last interval that is over
 * @param intervalMillis its length
 * @param lastLatency the response times of the good answers in the last interval that is over
 * @param silentMillis how long requests have been under way since the last of them was answered, well or not; 0 when
 *     none is
 * @param progressShare how much of the run is done, 0..1; null when it has no known end
 * @param segment segment of the trace being sent, -1 before the first
 * @param kind its kind so far
 * @param openStreams streams open now; null when none are to be held
 * @param eventsPerSecond events that came over them in the last interval that is over
 * @param targets the current targets
 */
public record LoadSnapshot(
        boolean running,
        long elapsedMillis,
        Totals totals,
        Interval lastInterval,
        double intervalMillis,
        LatencyInterval lastLatency,
        long silentMillis,
        @Nullable Double progressShare,
        int segment,
        Burst.Kind kind,
        @Nullable Long openStreams,
        double eventsPerSecond,
        TargetList targets) {
    /** Good answers to static requests per second in the last interval. */
    public double staticPerSecond() {
        return perSecond(lastInterval.staticAnswered());
    }

    /** Good answers to dynamic requests per second in the last interval. */
    public double dynamicPerSecond() {
        return perSecond(lastInterval.dynamicAnswered());
    }

    private double perSecond(long count) {
        return count * 1000 / intervalMillis;
    }
}
