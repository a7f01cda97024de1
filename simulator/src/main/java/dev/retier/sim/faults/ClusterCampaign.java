package dev.retier.sim.faults;

import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Many worlds of clusters, one per seed, on all cores. Stateless. */
public final class ClusterCampaign {
    /** The most failing worlds that a summary carries. */
    public static final int MAX_FAILURES = 20;

    private ClusterCampaign() {}

    /**
     * What many worlds came to.
     *
     * @param restless worlds that never came to rest as decisions went round in a circle: known and not mended
     * @param settledSeconds the longest that one took to come to rest
     * @param failures the first worlds in which something was that must never be; {@link ClusterWorld#tell}
     *     replays each
     */
    public record Summary(
            long worlds,
            long orders,
            long completed,
            long undone,
            long acquisitions,
            long faults,
            long crashes,
            long events,
            long restless,
            double settledSeconds,
            List<ClusterWorld.Report> failures) {

        /** The sum of nothing. */
        public static final Summary NONE = new Summary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

        /** What both came to together. */
        public Summary plus(Summary other) {
            return new Summary(
                    worlds + other.worlds,
                    orders + other.orders,
                    completed + other.completed,
                    undone + other.undone,
                    acquisitions + other.acquisitions,
                    faults + other.faults,
                    crashes + other.crashes,
                    events + other.events,
                    restless + other.restless,
                    Math.max(settledSeconds, other.settledSeconds),
                    Stream.concat(failures.stream(), other.failures.stream())
                            .limit(MAX_FAILURES)
                            .toList());
        }
    }

    /**
     * Runs the worlds of {@code count} seeds from {@code firstSeed} on.
     *
     * @param possible what may go wrong in them
     * @throws IllegalArgumentException if {@code count} is not positive
     */
    public static Summary run(long firstSeed, long count, Set<Fault> possible) {
        return run(seed -> ClusterWorld.run(seed, possible), firstSeed, count);
    }

    static Summary run(LongFunction<ClusterWorld.Report> world, long firstSeed, long count) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " seeds: give at least 1");
        }
        return LongStream.range(firstSeed, firstSeed + count)
                .parallel()
                .mapToObj(world)
                .map(ClusterCampaign::alone)
                .reduce(Summary.NONE, Summary::plus);
    }

    private static Summary alone(ClusterWorld.Report report) {
        return new Summary(
                1,
                report.orders(),
                report.completed(),
                report.undone(),
                report.acquisitions(),
                report.faults(),
                report.crashes(),
                report.events(),
                report.isRestless() ? 1 : 0,
                report.settledSeconds(),
                report.violation().isPresent() ? List.of(report) : List.of());
    }
}
