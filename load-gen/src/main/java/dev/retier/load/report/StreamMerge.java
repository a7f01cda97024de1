package dev.retier.load.report;

import dev.retier.load.measure.Latency;
import dev.retier.load.measure.LatencyHistograms;
import dev.retier.load.measure.StreamFigures;
import dev.retier.load.measure.StreamInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Adds what the streams of several generators did at the same time, as {@link ResultMerge} does. Stateless. */
final class StreamMerge {
    private StreamMerge() {}

    /** Together; null when none of {@code parts} held streams. {@code start} is the earliest of their starts. */
    static @Nullable StreamFigures merge(List<LoadResult> parts, long start) {
        List<LoadResult> streaming =
                parts.stream().filter(part -> part.streams() != null).toList();
        if (streaming.isEmpty()) {
            return null;
        }
        List<StreamFigures> figures = new ArrayList<>();
        for (LoadResult part : streaming) {
            StreamFigures of = part.streams();
            if (of != null) {
                figures.add(of);
            }
        }
        List<StreamInterval> intervals = intervals(streaming, start);
        return new StreamFigures(
                sum(figures, StreamFigures::opened),
                sum(figures, StreamFigures::ended),
                intervals.stream().mapToLong(StreamInterval::open).max().orElse(0),
                sum(figures, StreamFigures::events),
                sum(figures, StreamFigures::bytes),
                sum(figures, StreamFigures::texts),
                sum(figures, StreamFigures::pings),
                sum(figures, StreamFigures::messagesSent),
                sum(figures, StreamFigures::messagesLeftOut),
                sum(figures, StreamFigures::unmatched),
                sum(figures, StreamFigures::closesUnanswered),
                sum(figures, StreamFigures::queued),
                LatencyHistograms.sum(figures.stream().map(StreamFigures::first).toList()),
                reply(figures),
                intervals);
    }

    private static @Nullable Latency reply(List<StreamFigures> figures) {
        List<Latency> replies = new ArrayList<>();
        for (StreamFigures each : figures) {
            if (each.reply() != null) {
                replies.add(each.reply());
            }
        }
        return replies.size() < figures.size() ? null : LatencyHistograms.sum(replies);
    }

    private static List<StreamInterval> intervals(List<LoadResult> parts, long start) {
        double length = parts.getFirst().intervalMillis();
        TreeMap<Long, StreamInterval> byIndex = new TreeMap<>();
        for (LoadResult part : parts) {
            StreamFigures of = part.streams();
            for (StreamInterval interval : of == null ? List.<StreamInterval>of() : of.intervals()) {
                long index = Math.round((part.startedAtEpochMillis() - start + interval.startMillis()) / length);
                byIndex.merge(index, interval.at(Math.round(index * length)), StreamInterval::plus);
            }
        }
        List<StreamInterval> all = new ArrayList<>();
        long open = 0;
        for (long index = 0; !byIndex.isEmpty() && index <= byIndex.lastKey(); index++) {
            StreamInterval known = byIndex.get(index);
            StreamInterval counted = known == null ? StreamInterval.empty(Math.round(index * length), 0) : known;
            open += counted.opened() - counted.over();
            all.add(counted.open(open));
        }
        return all;
    }

    private static long sum(List<StreamFigures> figures, ToLongFunction<StreamFigures> what) {
        return figures.stream().mapToLong(what).sum();
    }
}
