package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.TraceEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts none, one or several events in the place of each. One thread. */
public final class MappedEvents implements EventStream {
    private final EventStream in;
    private final Function<TraceEvent, Optional<List<TraceEvent>>> mapping;
    private final ArrayDeque<TraceEvent> ready = new ArrayDeque<>();
    private boolean ended;

    /** {@code mapping} returns the events in the place of one, or nothing at all to end the stream. */
    public MappedEvents(EventStream in, Function<TraceEvent, Optional<List<TraceEvent>>> mapping) {
        this.in = in;
        this.mapping = mapping;
    }

    @Override
    public @Nullable TraceEvent next() {
        while (ready.isEmpty() && !ended) {
            TraceEvent event = in.next();
            if (event == null) {
                return null;
            }
            Optional<List<TraceEvent>> mapped = mapping.apply(event);
            if (mapped.isEmpty()) {
                ended = true;
                return null;
            }
            ready.addAll(mapped.get());
        }
        return ready.poll();
    }

    @Override
    public ReadReport report() {
        return in.report();
    }

    @Override
    public void close() {
        ended = true;
        ready.clear();
        in.close();
    }
}
