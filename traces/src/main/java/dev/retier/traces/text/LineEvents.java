package dev.retier.traces.text;

import dev.retier.traces.InputEvents;
import dev.retier.traces.Lines;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.TraceEvent;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Events from a text trace. Tolerant: a line that makes no sense is skipped and counted. One thread. */
public final class LineEvents extends InputEvents {
    private final Lines lines;
    private final LineFormat format;
    private String line = "";

    /**
     * Reads decompressed text.
     *
     * @param name of the input, for messages
     */
    public LineEvents(String name, InputStream in, LineFormat format, ReplayedMethods methods) {
        super(name, in, methods);
        this.lines = new Lines(in);
        this.format = format;
    }

    @Override
    protected boolean advance() throws IOException {
        String next = lines.next();
        line = next == null ? "" : next;
        return next != null;
    }

    @Override
    protected @Nullable TraceEvent event() {
        if (lines.wasTooLong()) {
            return bad("longer than " + Lines.MAX_BYTES + " bytes");
        }
        return switch (format.parse(line)) {
            case LineResult.Nothing() -> null;
            case LineResult.Bad(String reason) -> bad(reason);
            case LineResult.Request(long timeNanos, TraceEvent request) -> replayed(timeNanos, request);
        };
    }

    private @Nullable TraceEvent replayed(long timeNanos, TraceEvent request) {
        long offsetNanos = offsetNanos(timeNanos, request.method());
        return offsetNanos == LEFT_OUT ? null : request.moved(offsetNanos, request.segment());
    }

    @Override
    protected String place() {
        return "line " + lines.number();
    }
}
