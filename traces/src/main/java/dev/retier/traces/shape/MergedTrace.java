package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Several traces running at the same time as one, in order of time; among equal times in the order of the list. All
 * start together at 0. Thread-safe; a pass is not.
 *
 * @param traces at least one
 */
public record MergedTrace(List<Trace> traces) implements Trace {
    /** Each holds a file open during a pass. */
    public static final int MAX_TRACES = 1000;

    /** Copies the list. */
    public MergedTrace {
        traces = List.copyOf(traces);
        if (traces.isEmpty() || traces.size() > MAX_TRACES) {
            throw new IllegalArgumentException(traces.size() + " traces to merge; give 1.." + MAX_TRACES);
        }
    }

    @Override
    public String name() {
        return traces.size() == 1
                ? traces.getFirst().name()
                : traces.getFirst().name() + " merged with " + (traces.size() - 1) + " more";
    }

    @Override
    public EventStream open() {
        return new Merging(traces);
    }

    @Override
    public OptionalLong eventCount() {
        long sum = 0;
        for (Trace trace : traces) {
            OptionalLong count = trace.eventCount();
            if (count.isEmpty()) {
                return count;
            }
            sum += count.getAsLong();
        }
        return OptionalLong.of(sum);
    }

    private static final class Merging implements EventStream {
        private final List<EventStream> streams = new ArrayList<>();
        private final PriorityQueue<Head> heads = new PriorityQueue<>(
                Comparator.comparingLong((Head head) -> head.event().offsetNanos())
                        .thenComparingInt(Head::stream));

        private record Head(TraceEvent event, int stream) {}

        Merging(List<Trace> traces) {
            try {
                traces.forEach(trace -> streams.add(trace.open()));
                for (int i = 0; i < streams.size(); i++) {
                    advance(i);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public @Nullable TraceEvent next() {
            Head first = heads.poll();
            if (first == null) {
                return null;
            }
            advance(first.stream());
            return first.event();
        }

        @Override
        public ReadReport report() {
            return streams.stream().map(EventStream::report).reduce(ReadReport.EMPTY, ReadReport::plus);
        }

        @Override
        public void close() {
            heads.clear();
            streams.forEach(EventStream::close);
        }

        private void advance(int stream) {
            TraceEvent event = streams.get(stream).next();
            if (event != null) {
                heads.add(new Head(event, stream));
            }
        }
    }
}
