package dev.retier.sim.locks;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Many worlds of a {@link LockKind}, one per seed, on all cores. Stateless.
 */
public final class FaultCampaign {
    /** The most failing worlds that a summary carries. */
    public static final int MAX_FAILURES = 20;

    private FaultCampaign() {}

    /**
     * What many worlds came to.
     *
     * @param failures the first worlds that were unsafe or stood still; {@link LockKind#run} replays each by
     * its seed
     */
    public record Summary(
            long worlds,
            long acquisitions,
            long orders,
            long ordersRefused,
            long crashes,
            long events,
            List<FaultSimulation.Report> failures) {

        /** The sum of nothing. */
        public static final Summary NONE = new Summary(0, 0, 0, 0, 0, 0, List.of());

        /** What both came to together. */
        public Summary plus(Summary other) {
            return new Summary(
                    worlds + other.worlds,
                    acquisitions + other.acquisitions,
                    orders + other.orders,
                    ordersRefused + other.ordersRefused,
                    crashes + other.crashes,
                    events + other.events,
                    Stream.concat(failures.stream(), other.failures.stream())
                            .limit(MAX_FAILURES)
                            .toList());
        }
    }

    /**
     * Runs the worlds of {@code count} seeds from {@code firstSeed} on.
     *
     * @throws IllegalArgumentException if {@code count} is not positive
     */
    public static Summary run(LockKind lock, long firstSeed, long count) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " seeds: give at least 1");
        }
        return LongStream.range(firstSeed, firstSeed + count)
                .parallel()
                .mapToObj(lock::run)
                .map(FaultCampaign::alone)
                .reduce(Summary.NONE, Summary::plus);
    }

    private static Summary alone(FaultSimulation.Report report) {
        return new Summary(
                1,
                report.acquisitions(),
                report.orders(),
                report.ordersRefused(),
                report.crashes(),
                report.events(),
                report.violation().isPresent() ? List.of(report) : List.of());
    }
}
