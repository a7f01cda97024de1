package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.Trace;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A trace seen through a filter that keeps the order of time. Thread-safe; a pass is not.
 *
 * @param name for reports
 * @param original what it is made from
 * @param filter wraps each pass
 */
public record ShapedTrace(String name, Trace original, UnaryOperator<EventStream> filter) implements Trace {
    @Override
    public EventStream open() {
        return filter.apply(original.open());
    }

    @Override
    public OptionalLong eventCount() {
        return OptionalLong.empty();
    }
}
