package dev.retier.load.report;

import dev.retier.load.measure.Burst;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Interval;
import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.LatencyInterval;
import dev.retier.load.measure.LatencyOverTime;
import dev.retier.load.measure.TargetTotals;
import dev.retier.load.measure.Totals;
import dev.retier.load.target.FollowReport;
import dev.retier.load.target.TierHistory;
import dev.retier.traces.ReadReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
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
        double elapsedMillis = latest(parts, start, LoadResult::elapsedMillis);
        Totals totals = totals(parts);
        LoadResult merged = new LoadResult(
                first.site(),
                String.join(
                        " + ", parts.stream().map(LoadResult::trace).distinct().toList()),
                first.latencyMeaning(),
                start,
                elapsedMillis,
                latest(parts, start, LoadResult::sendingMillis),
                parts.stream()
                        .filter(part -> part.problem() != null)
                        .findFirst()
                        .orElse(first)
                        .end(),
                parts.stream()
                        .map(LoadResult::problem)
                        .filter(problem -> problem != null)
                        .findFirst()
                        .orElse(null),
                parts.stream().mapToInt(LoadResult::clients).sum(),
                totals,
                causes(parts),
                totals.answered() * 1000 / Math.max(1, elapsedMillis),
                first.intervalMillis(),
                first.answerWithinMillis(),
                intervals(parts, start),
                bursts(parts, start),
                sum(parts, LoadResult::requestsNotListed),
                latency(parts, LoadResult::staticLatency),
                latency(parts, LoadResult::dynamicLatency),
                latency(parts, LoadResult::latency),
                latency(parts, LoadResult::service),
                overTime(parts, start),
                latency(parts, LoadResult::lateness),
                sum(parts, LoadResult::lateRequests),
                sum(parts, LoadResult::retries),
                sum(parts, LoadResult::chunked),
                StreamMerge.merge(parts, start),
                health(parts),
                targets(parts),
                parts.stream()
                        .map(LoadResult::following)
                        .reduce(FollowReport::plus)
                        .orElseThrow(),
                tiers(parts),
                null,
                parts.stream().map(LoadResult::reading).reduce(ReadReport.EMPTY, ReadReport::plus));
        Guarantee.Kept kept = first.guarantee();
        return kept == null ? merged : merged.judgedBy(kept.guarantee());
    }

    /** The latest end, each part's counted from its own start, in milliseconds after {@code start}. */
    private static double latest(List<LoadResult> parts, long start, ToDoubleFunction<LoadResult> end) {
        return parts.stream()
                .mapToDouble(part -> part.startedAtEpochMillis() - start + end.applyAsDouble(part))
                .max()
                .orElse(0);
    }

    /** Of the first generator that asked an agent: others were told the same. */
    private static TierHistory tiers(List<LoadResult> parts) {
        return parts.stream()
                .map(LoadResult::tiers)
                .filter(tiers -> !tiers.sizes().isEmpty())
                .findFirst()
                .orElse(TierHistory.NONE);
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
            if (part.hasDueTimes() != first.hasDueTimes()) {
                throw new IllegalArgumentException(
                        "latencies of an open loop (with due times) and of a closed loop do not"
                                + " add up; run all generators with the same options, or compare them instead");
            }
            if (part.answerWithinMillis() != first.answerWithinMillis()) {
                throw new IllegalArgumentException("answers in time within " + first.answerWithinMillis() + " and "
                        + part.answerWithinMillis() + " ms do not add up; run all generators with the same");
            }
            if (part.intervalMillis() != first.intervalMillis()) {
                throw new IllegalArgumentException("intervals of " + first.intervalMillis() + " and "
                        + part.intervalMillis() + " ms do not add up; run all generators with the same");
            }
        }
    }

    private static GeneratorHealth health(List<LoadResult> parts) {
        GeneratorHealth health =
                parts.stream().map(LoadResult::health).reduce(new GeneratorHealth(0, List.of()), GeneratorHealth::plus);
        for (int i = 0; i < parts.size(); i++) {
            for (int j = 0; j < i; j++) {
                health = health.withWarnings(doubts(parts.get(j), j + 1, parts.get(i), i + 1));
            }
        }
        return health;
    }

    /** Why the sum of two results, the {@code n}-th and the {@code m}-th, may mean nothing. */
    private static List<String> doubts(LoadResult one, int n, LoadResult other, int m) {
        if (one.equals(other)) {
            return List.of("results " + n + " and " + m + " are the same: one was counted twice");
        }
        boolean isApart = one.startedAtEpochMillis() + one.elapsedMillis() < other.startedAtEpochMillis()
                || other.startedAtEpochMillis() + other.elapsedMillis() < one.startedAtEpochMillis();
        return isApart
                ? List.of("results " + n + " and " + m + " did not run at the same time: their rates do not add up")
                : List.of();
    }

    private static Map<FailureKind, String> causes(List<LoadResult> parts) {
        Map<FailureKind, String> causes = new EnumMap<>(FailureKind.class);
        parts.forEach(part -> part.causes().forEach(causes::putIfAbsent));
        return causes;
    }

    private static Totals totals(List<LoadResult> parts) {
        return parts.stream().map(LoadResult::totals).reduce(Totals::plus).orElseThrow();
    }

    private static List<Interval> intervals(List<LoadResult> parts, long start) {
        double length = parts.getFirst().intervalMillis();
        TreeMap<Long, Interval> byIndex = new TreeMap<>();
        for (LoadResult part : parts) {
            for (Interval interval : part.intervals()) {
                long index = index(part, start, interval.startMillis(), length);
                byIndex.merge(index, interval.at(Math.round(index * length)), Interval::plus);
            }
        }
        return filled(byIndex, index -> Interval.empty(Math.round(index * length)));
    }

    /** Latency intervals double in long runs, so the longest of the parts' serves for all. */
    private static LatencyOverTime overTime(List<LoadResult> parts, long start) {
        double length = parts.stream()
                .mapToDouble(part -> part.latencyOverTime().intervalMillis())
                .max()
                .orElse(1);
        TreeMap<Long, LatencyInterval> byIndex = new TreeMap<>();
        for (LoadResult part : parts) {
            for (LatencyInterval interval : part.latencyOverTime().intervals()) {
                long index = index(part, start, interval.startMillis(), length);
                long newStart = Math.round(index * length);
                byIndex.merge(index, interval.at(newStart), LatencyInterval::plus);
            }
        }
        return new LatencyOverTime(length, filled(byIndex, index -> LatencyInterval.empty(Math.round(index * length))));
    }

    private static long index(LoadResult part, long start, long intervalStartMillis, double length) {
        return Math.round((part.startedAtEpochMillis() - start + intervalStartMillis) / length);
    }

    private static <T> List<T> filled(SortedMap<Long, T> byIndex, LongFunction<T> empty) {
        List<T> all = new ArrayList<>();
        for (long index = 0; !byIndex.isEmpty() && index <= byIndex.lastKey(); index++) {
            T known = byIndex.get(index);
            all.add(known == null ? empty.apply(index) : known);
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
