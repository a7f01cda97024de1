package dev.retier.traces.text;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Function;

/** Writes any trace as text, one line per event. Stateless. */
public final class EventWriter {
    private static final int FLUSH_CHARACTERS = 1 << 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final DateTimeFormatter CLF_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss '+0000'", Locale.ENGLISH);

    private EventWriter() {}

    /**
     * What became of a pass.
     *
     * @param requests written
     * @param reading how the reading went
     */
    public record Written(long requests, ReadReport reading) {}

    /**
     * Writes one pass through {@code trace} in our own form, {@link CsvFormat}, which loses nothing, to {@code out},
     * which stays open.
     */
    public static Written csv(Trace trace, OutputStream out) throws IOException {
        return write(trace, out, CsvFormat.HEADING + '\n', CsvFormat::line);
    }

    /**
     * The same in Common Log Format, whole seconds only, as if each request had been answered with 200, or 304 where
     * the trace says so.
     *
     * @param start time of the first event
     */
    public static Written clf(Trace trace, Instant start, OutputStream out) throws IOException {
        return write(trace, out, "", event -> clfLine(event, start));
    }

    /** The same as {@code time id size}: seconds since the first event, target, bytes (0 where not known). */
    public static Written text(Trace trace, OutputStream out) throws IOException {
        return write(
                trace,
                out,
                "",
                event -> String.format(
                        Locale.ROOT,
                        "%d.%09d %s %d",
                        event.offsetNanos() / NANOS_PER_SECOND,
                        event.offsetNanos() % NANOS_PER_SECOND,
                        event.target(),
                        Math.max(0, event.sizeBytes())));
    }

    private static String clfLine(TraceEvent event, Instant start) {
        String time = CLF_TIME.format(start.plusNanos(event.offsetNanos()).atOffset(ZoneOffset.UTC));
        String size = event.sizeBytes() == TraceEvent.UNKNOWN_SIZE ? "-" : Long.toString(event.sizeBytes());
        return event.clientId() + " - - [" + time + "] \"" + event.method() + ' ' + event.target() + " HTTP/1.1\" "
                + (event.conditional() ? "304" : "200") + ' ' + size;
    }

    private static Written write(Trace trace, OutputStream out, String heading, Function<TraceEvent, String> line)
            throws IOException {
        StringBuilder pending = new StringBuilder(heading);
        long written = 0;
        ReadReport reading;
        try (EventStream events = trace.open()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                written++;
                pending.append(line.apply(event)).append('\n');
                if (pending.length() >= FLUSH_CHARACTERS) {
                    out.write(pending.toString().getBytes(StandardCharsets.US_ASCII));
                    pending.setLength(0);
                }
            }
            reading = events.report();
        }
        out.write(pending.toString().getBytes(StandardCharsets.US_ASCII));
        return new Written(written, reading);
    }
}
