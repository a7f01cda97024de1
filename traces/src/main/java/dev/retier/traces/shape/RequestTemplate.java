package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.UnitHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Another method and body for every request of a trace. Immutable, thread-safe.
 *
 * <p>In the body, <code>{{n}}</code> becomes the number of the request, from 0, <code>{{client}}</code> the number of
 * its client, and <code>{{random}}</code> a number of nine digits, the same for the same seed.
 *
 * @param method null: as the trace says
 * @param body null: as the trace says. Each character is one byte (ISO 8859-1), so that any bytes can be given
 * @param contentType of the body
 * @param seed of the random numbers
 */
public record RequestTemplate(
        @Nullable RequestMethod method, @Nullable String body, String contentType, long seed) {
    private static final double NINE_DIGITS = 1e9;

    /** {@code trace} with this method and body. */
    public Trace over(Trace trace) {
        return method == null && body == null ? trace : new Applied(trace, this);
    }

    private TraceEvent applied(TraceEvent event, long number) {
        TraceEvent changed = method == null ? event : event.withMethod(method);
        return body == null ? changed : changed.withBody(body(event, number));
    }

    private RequestBody body(TraceEvent event, long number) {
        String filled = String.valueOf(body);
        if (filled.contains("{{")) {
            long random = (long) (UnitHash.of(number ^ Long.rotateLeft(seed, 32)) * NINE_DIGITS);
            filled = filled.replace("{{n}}", Long.toString(number))
                    .replace("{{client}}", Long.toString(event.clientId()))
                    .replace("{{random}}", String.format(Locale.ROOT, "%09d", random));
        }
        return new RequestBody(contentType, filled.getBytes(StandardCharsets.ISO_8859_1));
    }

    private record Applied(Trace trace, RequestTemplate template) implements Trace {
        @Override
        public String name() {
            return trace.name();
        }

        @Override
        public EventStream open() {
            AtomicLong number = new AtomicLong();
            return new MappedEvents(
                    trace.open(), event -> Optional.of(List.of(template.applied(event, number.getAndIncrement()))));
        }

        @Override
        public OptionalLong eventCount() {
            return trace.eventCount();
        }
    }
}
