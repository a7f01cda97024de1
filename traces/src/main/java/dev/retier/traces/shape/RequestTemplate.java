package dev.retier.traces.shape;

import dev.retier.traces.EventStream;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.UnitHash;
import java.nio.ByteBuffer;
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
 * @param body null: as the trace says, or {@code shared}. Each character is one byte (ISO 8859-1), so that any bytes
 *     can be given; filled it has at most {@link RequestBody#MAX_BYTES}. One in which there is nothing to fill is made
 *     once and shared by all requests
 * @param contentType of the body
 * @param seed of the random numbers
 * @param shared a body for every request as it is, of any length; null: none such
 */
public record RequestTemplate(
        @Nullable RequestMethod method,
        @Nullable String body,
        String contentType,
        long seed,
        @Nullable RequestBody shared) {
    private static final double NINE_DIGITS = 1e9;
    private static final List<String> PLACES = List.of("{{n}}", "{{client}}", "{{random}}");
    private static final int MOST_DIGITS = 19;

    /**
     * Makes the shared body, where there is nothing to fill.
     *
     * @throws IllegalArgumentException when the body may become too long once it is filled, or the type is none
     */
    public RequestTemplate {
        if (body != null) {
            long longest = longestBytes(body);
            if (longest > RequestBody.MAX_BYTES) {
                throw new IllegalArgumentException("the body may have " + longest + " bytes once it is filled, and "
                        + RequestBody.MAX_BYTES + " is the most; give less of it, or fewer {{...}}");
            }
            if (PLACES.stream().noneMatch(body::contains)) {
                byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
                shared = RequestBody.shared(
                        contentType,
                        ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
            }
        }
    }

    /** One whose body may have places to fill. */
    public RequestTemplate(@Nullable RequestMethod method, @Nullable String body, String contentType, long seed) {
        this(method, body, contentType, seed, null);
    }

    private static long longestBytes(String body) {
        long longest = body.length();
        for (String place : PLACES) {
            for (int at = body.indexOf(place); at >= 0; at = body.indexOf(place, at + place.length())) {
                longest += Math.max(0, MOST_DIGITS - place.length());
            }
        }
        return longest;
    }

    /** {@code trace} with this method and body. */
    public Trace over(Trace trace) {
        return method == null && body == null && shared == null ? trace : new Applied(trace, this);
    }

    private TraceEvent applied(TraceEvent event, long number) {
        TraceEvent changed = method == null ? event : event.withMethod(method);
        if (shared != null) {
            return changed.withBody(shared);
        }
        return body == null ? changed : changed.withBody(body(event, number));
    }

    private RequestBody body(TraceEvent event, long number) {
        long random = (long) (UnitHash.of(number ^ Long.rotateLeft(seed, 32)) * NINE_DIGITS);
        String filled = String.valueOf(body)
                .replace("{{n}}", Long.toString(number))
                .replace("{{client}}", Long.toString(event.clientId()))
                .replace("{{random}}", String.format(Locale.ROOT, "%09d", random));
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
