package dev.retier.load.trace;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts none, one or several events in the place of each. One thread. */
final class MappedEvents implements EventStream {
    private final EventStream in;
    private final Function<TraceEvent, List<TraceEvent>> mapping;
    private final ArrayDeque<TraceEvent> ready = new ArrayDeque<>();

    MappedEvents(EventStream in, Function<TraceEvent, List<TraceEvent>> mapping) {
        this.in = in;
        this.mapping = mapping;
    }

    @Override
    public @Nullable TraceEvent next() {
        while (ready.isEmpty()) {
            TraceEvent event = in.next();
            if (event == null) {
                return null;
            }
            ready.addAll(mapping.apply(event));
        }
        return ready.poll();
    }

    @Override
    public ReadReport report() {
        return in.report();
    }

    @Override
    public void close() {
        ready.clear();
        in.close();
    }
}
