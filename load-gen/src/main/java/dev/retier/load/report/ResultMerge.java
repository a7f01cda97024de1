package dev.retier.load.report;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.measure.Totals;
import dev.retier.load.trace.ReadReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Adds the results of several generators that loaded one site at the same time. Counts and histograms add exactly;
 * intervals are laid over each other by wall-clock time, to the nearest interval. Stateless.
 */
public final class ResultMerge {
    private ResultMerge() {}

    /**
     * One result for {@code parts}.
     *
     * @throws IllegalArgumentException when there is none, or sites or intervals differ; says which
     */
    public static LoadResult merge(List<LoadResult> parts) {
        check(parts);
        LoadResult first = parts.getFirst();
        long start =
                parts.stream().mapToLong(LoadResult::startedAtEpochMillis).min().orElse(0);
        double elapsedMillis = parts.stream()
                .mapToDouble(part -> part.startedAtEpochMillis() - start + part.elapsedMillis())
                .max()
                .orElse(0);
        Totals totals = totals(parts);
        return new LoadResult(
                first.site(),
                first.trace(),
                first.latencyMeaning(),
                start,
                elapsedMillis,
                first.end(),
                parts.stream()
                        .map(LoadResult::problem)
                        .filter(problem -> problem != null)
                        .findFirst()
                        .orElse(null),
                parts.stream().mapToInt(LoadResult::clients).sum(),
                totals,
                totals.answered() * 1000 / Math.max(1, elapsedMillis),
                first.intervalMillis(),
                intervals(parts, start),
                bursts(parts, start),
                sum(parts, LoadResult::requestsNotListed),
                latency(parts, LoadResult::staticLatency),
                latency(parts, LoadResult::dynamicLatency),
                latency(parts, LoadResult::latency),
                latency(parts, LoadResult::service),
                latency(parts, LoadResult::lateness),
                sum(parts, LoadResult::lateRequests),
                targets(parts),
                first.following(),
                parts.stream().map(LoadResult::reading).reduce(ReadReport.EMPTY, ReadReport::plus));
    }

    private static void check(List<LoadResult> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("nothing to merge; name at least one result");
        }
        LoadResult first = parts.getFirst();
        for (LoadResult part : parts) {
            if (!part.site().equals(first.site())) {
                throw new IllegalArgumentException(
                        "results of sites " + first.site() + " and " + part.site() + " do not add up");
            }
            if (part.intervalMillis() != first.intervalMillis()) {
                throw new IllegalArgumentException("intervals of " + first.intervalMillis() + " and "
                        + part.intervalMillis() + " ms do not add up; run all generators with the same");
            }
        }
    }

    private static Totals totals(List<LoadResult> parts) {
        Map<FailureKind, Long> failures = new EnumMap<>(FailureKind.class);
        parts.forEach(
                part -> part.totals().failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum)));
        return new Totals(
                sum(parts, part -> part.totals().sent()),
                sum(parts, part -> part.totals().answered()),
                sum(parts, part -> part.totals().failed()),
                sum(parts, part -> part.totals().dropped()),
                sum(parts, part -> part.totals().inFlight()),
                sum(parts, part -> part.totals().staticAnswered()),
                sum(parts, part -> part.totals().dynamicAnswered()),
                sum(parts, part -> part.totals().bodyBytes()),
                failures);
    }

    private static List<Interval> intervals(List<LoadResult> parts, long start) {
        double length = parts.getFirst().intervalMillis();
        TreeMap<Long, Interval> byIndex = new TreeMap<>();
        for (LoadResult part : parts) {
            for (Interval interval : part.intervals()) {
                double at = part.startedAtEpochMillis() - start + interval.startMillis();
                long index = Math.round(at / length);
                byIndex.merge(index, interval.at(Math.round(index * length)), Interval::plus);
            }
        }
        List<Interval> all = new ArrayList<>();
        for (long index = 0; !byIndex.isEmpty() && index <= byIndex.lastKey(); index++) {
            all.add(byIndex.getOrDefault(index, Interval.empty(Math.round(index * length))));
        }
        return all;
    }

    private static List<Burst> bursts(List<LoadResult> parts, long start) {
        TreeMap<Integer, Burst> bySegment = new TreeMap<>();
        for (LoadResult part : parts) {
            double shift = part.startedAtEpochMillis() - start;
            part.bursts().forEach(burst -> bySegment.merge(burst.segment(), burst.later(shift), Burst::plus));
        }
        return List.copyOf(bySegment.values());
    }

    private static List<TargetTotals> targets(List<LoadResult> parts) {
        TreeMap<String, TargetTotals> byName = new TreeMap<>();
        for (LoadResult part : parts) {
            part.targets().forEach(target -> byName.merge(target.target(), target, TargetTotals::plus));
        }
        return List.copyOf(byName.values());
    }

    private static Latency latency(List<LoadResult> parts, Function<LoadResult, Latency> which) {
        return LatencyHistograms.sum(parts.stream().map(which).toList());
    }

    private static long sum(List<LoadResult> parts, ToLongFunction<LoadResult> what) {
        return parts.stream().mapToLong(what).sum();
    }
}
