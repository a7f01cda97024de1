package dev.retier.load.trace;

import dev.retier.load.LoadException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Events from a text trace. Tolerant: a line that makes no sense is skipped and counted, a line older than one
 * before it
 * keeps its place in the file and gets that one's time. Closing it closes the input. One thread.
 */
public final class LineEvents implements EventStream {
    private final String name;
    private final InputStream in;
    private final Lines lines;
    private final LineFormat format;
    private final ReplayedMethods methods;
    private final ReadCounters counters = new ReadCounters();
    private boolean started;
    private long startNanos;
    private long latestNanos;
    private boolean ended;

    /**
     * Reads decompressed text.
     *
     * @param name of the input, for messages
     */
    public LineEvents(String name, InputStream in, LineFormat format, ReplayedMethods methods) {
        this.name = name;
        this.in = in;
        this.lines = new Lines(in);
        this.format = format;
        this.methods = methods;
    }

    @Override
    public @Nullable TraceEvent next() {
        while (!ended) {
            String line = readLine();
            if (line == null) {
                ended = true;
                return null;
            }
            TraceEvent event = event(line);
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    @Override
    public ReadReport report() {
        return counters.report();
    }

    @Override
    public void close() {
        ended = true;
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private @Nullable TraceEvent event(String line) {
        if (lines.wasTooLong()) {
            counters.bad("line " + lines.number() + ": longer than " + Lines.MAX_BYTES + " bytes");
            return null;
        }
        return switch (format.parse(line)) {
            case LineResult.Nothing() -> null;
            case LineResult.Bad(String reason) -> {
                counters.bad("line " + lines.number() + ": " + reason);
                yield null;
            }
            case LineResult.Request(long timeNanos, TraceEvent request) -> replayed(timeNanos, request);
        };
    }

    private @Nullable TraceEvent replayed(long timeNanos, TraceEvent request) {
        if (!methods.include(request.method())) {
            counters.notReplayed();
            return null;
        }
        counters.event();
        if (!started) {
            started = true;
            startNanos = timeNanos;
            latestNanos = timeNanos;
        }
        if (timeNanos < latestNanos) {
            counters.outOfOrder();
        }
        latestNanos = Math.max(latestNanos, timeNanos);
        return request.moved(latestNanos - startNanos, request.segment());
    }

    private @Nullable String readLine() {
        try {
            return lines.next();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private LoadException unreadable(IOException e) {
        return new LoadException(
                LoadException.Category.FATAL,
                "trace " + name + ": cannot be read past line " + lines.number() + " (" + e.getMessage()
                        + "); fetch the file again or repair it with gzip -t",
                e);
    }
}
