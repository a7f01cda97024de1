package dev.retier.load.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes any trace in our own text form, {@link CsvFormat}. Stateless. */
public final class CsvWriter {
    private static final int FLUSH_CHARACTERS = 1 << 16;

    private CsvWriter() {}

    /** Writes the heading and one pass through {@code trace} to {@code out}, which stays open; returns the events. */
    public static long write(Trace trace, OutputStream out) throws IOException {
        StringBuilder pending = new StringBuilder(CsvFormat.HEADING).append('\n');
        long written = 0;
        try (EventStream events = trace.open()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                pending.append(CsvFormat.line(event)).append('\n');
                written++;
                if (pending.length() >= FLUSH_CHARACTERS) {
                    out.write(pending.toString().getBytes(StandardCharsets.US_ASCII));
                    pending.setLength(0);
                }
            }
        }
        out.write(pending.toString().getBytes(StandardCharsets.US_ASCII));
        return written;
    }
}
