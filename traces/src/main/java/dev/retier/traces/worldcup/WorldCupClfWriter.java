package dev.retier.traces.worldcup;

import dev.retier.traces.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Writes World Cup records in Common Log Format, byte for byte as the logs' official tool {@code recreate} does. One
 * thread.
 */
public final class WorldCupClfWriter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern(" - - '['dd/MMM/yyyy:HH:mm:ss '+0000] \"'", Locale.ENGLISH);
    private static final List<String> VERSIONS = List.of("HTTP/0.9", "HTTP/1.0", "HTTP/1.1", "HTTP/X.X");
    private static final String STATUSES = "100 101 200 201 202 203 204 205 206 300 301 302 303 304 305 400 401 402 403"
            + " 404 405 406 407 408 409 410 411 412 413 414 415 500 501 502 503 504 505 -";
    private static final List<String> STATUS_TEXTS = List.of(STATUSES.split(" ", -1));
    private static final int VERSION_SHIFT = 6;
    private static final int FLUSH_BYTES = 1 << 16;

    private final WorldCupObjects objects;
    private final OutputStream out;
    private final java.io.ByteArrayOutputStream pending = new java.io.ByteArrayOutputStream(FLUSH_BYTES * 2);
    private long secondOfText = -1;
    private byte[] timeText = {};

    /** Writes to {@code out}, which stays open. */
    public WorldCupClfWriter(WorldCupObjects objects, OutputStream out) {
        this.objects = objects;
        this.out = out;
    }

    /**
     * Writes all records of {@code in}; returns how many.
     *
     * @throws TraceException at a record with a field out of range, or with an object that has no URL
     */
    public long write(InputStream in) throws IOException {
        WorldCupBlocks blocks = new WorldCupBlocks(in);
        long written = 0;
        while (blocks.next()) {
            write(WorldCupRecord.parse(blocks.bytes(), blocks.offset()), written);
            written++;
            if (pending.size() >= FLUSH_BYTES) {
                flush();
            }
        }
        flush();
        return written;
    }

    private void flush() throws IOException {
        pending.writeTo(out);
        pending.reset();
    }

    private void write(WorldCupRecord wc, long number) {
        String problem = wc.problem();
        byte[] url = objects.url(wc.objectId());
        if (problem != null || url == null) {
            String what = problem == null ? "object " + wc.objectId() + " is not in the mapping" : problem;
            throw new TraceException(
                    "record " + number + ": " + what + "; check the log with trace check, and give the full mapping");
        }
        text(Long.toString(wc.clientId()));
        pending.writeBytes(time(wc.timestampSeconds()));
        text(wc.requestMethod().name());
        pending.write(' ');
        pending.writeBytes(url);
        pending.write(' ');
        text(VERSIONS.get(wc.status() >> VERSION_SHIFT));
        text("\" ");
        text(STATUS_TEXTS.get(wc.statusIndex()));
        pending.write(' ');
        text(wc.sizeBytes() == WorldCupRecord.NO_SIZE ? "-" : Long.toString(wc.sizeBytes()));
        pending.write('\n');
    }

    private byte[] time(long second) {
        if (second != secondOfText) {
            secondOfText = second;
            timeText = TIME.format(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC))
                    .getBytes(StandardCharsets.US_ASCII);
        }
        return timeText;
    }

    private void text(String ascii) {
        pending.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }
}
