package dev.retier.cli.view;

import org.jspecify.annotations.Nullable;

/**
 * What a live view shows of one site's load at one moment.
 *
 * @param site its name
 * @param elapsedSeconds since the run began
 * @param progress share of the run that is done, 0..1; null when it has no known end
 * @param staticPerSecond static requests answered per second in the last interval
 * @param dynamicPerSecond dynamic requests answered per second in the last interval
 * @param p50Millis latency that half of the last interval's answers had at most
 * @param p99Millis latency that 99 % of them had at most
 * @param silentSeconds how long requests have been under way with no answer to any; 0 when none is
 * @param failed requests that failed since the run began
 * @param dropped requests given up since the run began
 * @param targets servers that requests go to
 * @param openStreams streams that are held open; null when none are to be
 * @param eventsPerSecond events that came over them per second in the last interval
 */
public record SiteRow(
        String site,
        double elapsedSeconds,
        @Nullable Double progress,
        double staticPerSecond,
        double dynamicPerSecond,
        double p50Millis,
        double p99Millis,
        double silentSeconds,
        long failed,
        long dropped,
        int targets,
        @Nullable Long openStreams,
        double eventsPerSecond) {
    /** Too early, and the rest cannot be told. */
    private static final double LEAST_PROGRESS = 0.01;

    /** Seconds that are left, by the speed so far; null when that cannot be told. */
    public @Nullable Double secondsLeft() {
        Double share = progress;
        return share == null || share < LEAST_PROGRESS || share >= 1
                ? null
                : Double.valueOf(elapsedSeconds * (1 - share) / share);
    }
}
