package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.InputEvents;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A trace gone through several times, one pass after the other: time goes on from the last event of the pass before,
 * and segments are numbered on. Thread-safe; a pass is not.
 *
 * @param trace what to repeat
 * @param passes how often, from 1
 */
public record LoopedTrace(Trace trace, int passes) implements Trace {
    /** Checks the range. */
    public LoopedTrace {
        if (passes < 1) {
            throw new IllegalArgumentException("loop count " + passes + " must be at least 1");
        }
    }

    @Override
    public String name() {
        return passes == 1 ? trace.name() : trace.name() + ", " + passes + " times";
    }

    @Override
    public EventStream open() {
        return new Passes(trace, passes);
    }

    @Override
    public OptionalLong eventCount() {
        OptionalLong once = trace.eventCount();
        if (once.isEmpty()) {
            return once;
        }
        boolean countable = once.getAsLong() <= Long.MAX_VALUE / passes;
        return countable ? OptionalLong.of(once.getAsLong() * passes) : OptionalLong.empty();
    }

    private static final class Passes implements EventStream {
        private final Trace trace;
        private int passesLeft;
        private volatile Pass pass;
        private long shiftNanos;
        private int shiftSegments;
        private long lastOffsetNanos;
        private int lastSegment;
        private boolean passYielded;

        Passes(Trace trace, int passes) {
            this.trace = trace;
            this.passesLeft = passes - 1;
            this.pass = new Pass(ReadReport.EMPTY, trace.open());
        }

        /** The present pass, and what those before it have read. */
        private record Pass(ReadReport finished, EventStream current) {}

        @Override
        public @Nullable TraceEvent next() {
            TraceEvent event = pass.current().next();
            while (event == null && passesLeft > 0 && passYielded) {
                startPass();
                event = pass.current().next();
            }
            return event == null ? null : shifted(event);
        }

        private void startPass() {
            passesLeft--;
            passYielded = false;
            ReadReport finished = report();
            pass.current().close();
            pass = new Pass(finished, trace.open());
            shiftNanos = lastOffsetNanos;
            shiftSegments = Math.min(lastSegment, Integer.MAX_VALUE - 1) + 1;
        }

        /** Both terms are at most half of the largest number; what would be later stays at that. */
        private long later(long offsetNanos) {
            return Math.min(
                    InputEvents.LATEST_OFFSET_NANOS,
                    Math.min(offsetNanos, InputEvents.LATEST_OFFSET_NANOS) + shiftNanos);
        }

        private int further(int segment) {
            return (int) Math.min(Integer.MAX_VALUE, (long) segment + shiftSegments);
        }

        private TraceEvent shifted(TraceEvent event) {
            passYielded = true;
            TraceEvent moved =
                    shiftSegments == 0 ? event : event.moved(later(event.offsetNanos()), further(event.segment()));
            lastOffsetNanos = Math.min(moved.offsetNanos(), InputEvents.LATEST_OFFSET_NANOS);
            lastSegment = moved.segment();
            return moved;
        }

        @Override
        public ReadReport report() {
            Pass now = pass;
            return now.finished().plus(now.current().report());
        }

        @Override
        public void close() {
            passesLeft = 0;
            pass.current().close();
        }
    }
}
