package dev.retier.load.trace.file;

import dev.retier.load.LoadException;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.ReadReport;
import dev.retier.load.trace.ShareThreshold;
import dev.retier.load.trace.Trace;
import dev.retier.load.trace.WorldCupEvents;
import dev.retier.load.trace.WorldCupMapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A World Cup 98 binary log on disk, raw or gzip. Immutable, thread-safe. */
public final class WorldCupFile implements Trace {
    private final Path file;
    private final WorldCupMapping mapping;
    private final ReadReport scan;

    private WorldCupFile(Path file, WorldCupMapping mapping, ReadReport scan) {
        this.file = file;
        this.mapping = mapping;
        this.scan = scan;
    }

    /**
     * Reads the whole file once (millions of records a second), so that a file that is damaged, or no such log at all,
     * is refused before a run starts and not in its middle. A dynamic share is turned into the share of the objects
     * that
     * gives this file that share of the requests, as near as its popular objects allow.
     *
     * @throws LoadException in one line, naming the file and the remedy: missing, unreadable, damaged gzip, no sound
     *     record, or more bad records than sound ones
     */
    public static WorldCupFile scan(Path file, WorldCupMapping mapping) {
        WorldCupMapping exact = exact(file, mapping);
        try (EventStream events = open(file, exact)) {
            while (events.next() != null) {
                // Only the counts matter here.
            }
            ReadReport report = events.report();
            if (report.events() == 0 || report.bad() > report.read() / 2) {
                throw noSuchLog(file, report);
            }
            return new WorldCupFile(file, exact, report);
        }
    }

    @Override
    public String name() {
        Path last = file.getFileName();
        return last == null ? file.toString() : last.toString();
    }

    @Override
    public EventStream open() {
        return open(file, mapping);
    }

    @Override
    public OptionalLong eventCount() {
        return OptionalLong.of(scan.events());
    }

    /** What the scan found: events, bad and skipped records, with samples. */
    public ReadReport scanReport() {
        return scan;
    }

    private static WorldCupMapping exact(Path file, WorldCupMapping mapping) {
        Double share = mapping.dynamicShare();
        if (share == null) {
            return mapping;
        }
        try (InputStream in = TraceInput.open(file)) {
            return mapping.sharing(ShareThreshold.find(in, share));
        } catch (IOException e) {
            throw new LoadException(
                    LoadException.Category.FATAL,
                    "trace " + file + ": cannot be read (" + e.getMessage() + "); check it with gzip -t",
                    e);
        }
    }

    private static EventStream open(Path file, WorldCupMapping mapping) {
        return new WorldCupEvents(file.toString(), TraceInput.open(file), mapping);
    }

    private static LoadException noSuchLog(Path file, ReadReport report) {
        String first =
                report.samples().isEmpty() ? "it is empty" : report.samples().getFirst();
        return new LoadException(
                LoadException.Category.FATAL,
                "trace " + file + ": no World Cup 98 log (" + report.bad() + " of " + report.read()
                        + " records are bad; " + first + "); give a file of 20-byte records, raw or gzip");
    }
}
