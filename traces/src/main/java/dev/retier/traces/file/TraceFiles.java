package dev.retier.traces.file;

import dev.retier.traces.ClassRule;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ShareCounter;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One or more files of one format, read one after the other as one trace. Immutable, thread-safe; a pass is not.
 *
 * <p>Only the first bytes are read until {@link #open}, so it also suits inputs that are too long to scan;
 * {@link #scan()} reads all of it once, to count and to refuse what is no trace.
 */
public final class TraceFiles implements Trace {
    private static final int PEEK_BYTES = 4096;

    private final List<Path> files;
    private final TraceFormat format;
    private final ReadOptions options;
    private final ClassRule rule;
    private final OptionalLong eventCount;

    private TraceFiles(List<Path> files, TraceFormat format, ReadOptions options, Scanned scanned) {
        this.files = List.copyOf(files);
        this.format = format;
        this.options = options;
        this.rule = scanned.rule();
        this.eventCount = scanned.eventCount();
    }

    private record Scanned(ClassRule rule, OptionalLong eventCount) {}

    /**
     * The files in the given order; the format, unless the options name one, is that of the first. A dynamic share is
     * taken as that of the objects until {@link #scan()} has counted the requests for each.
     *
     * @throws TraceException in one line when there is none, or the first cannot be read
     */
    public static TraceFiles of(List<Path> files, ReadOptions options) {
        if (files.isEmpty()) {
            throw new TraceException("no trace file; name at least one");
        }
        Optional<Path> once = files.stream().filter(TraceInput::isOnce).findFirst();
        if (once.isPresent() && options.format() == null) {
            throw new TraceException("trace " + once.get() + ": can be read once only, as it is a pipe, so its format"
                    + " cannot be found out; name it with --format");
        }
        TraceFormat format = options.format() == null ? guess(files.getFirst()) : options.format();
        Double share = options.dynamicShare();
        ClassRule rule = share == null ? ClassRule.AS_LOGGED : new ClassRule.Share(share);
        return new TraceFiles(files, format, options, new Scanned(rule, OptionalLong.empty()));
    }

    /** Paths in the order that people number files: wc_day9_1, wc_day10_1, wc_day10_2, wc_day10_10. */
    public static List<Path> inNaturalOrder(List<Path> paths) {
        return paths.stream().sorted(new NaturalOrder()).toList();
    }

    /**
     * The same trace with its events counted, after reading it once, so that a file that is damaged, or no trace at
     * all, is refused before a run starts and not in its middle. With a dynamic share, the pass also finds the objects
     * that give this trace that share of its requests, as near as its popular objects allow.
     *
     * @throws TraceException in one line when it cannot be read, has no event, or more bad entries than good ones
     */
    public TraceFiles scan() {
        if (isOnce()) {
            throw new TraceException(
                    "trace " + place() + ": can be read once only, so it cannot be scanned; save it to a file");
        }
        ShareCounter counter = new ShareCounter();
        Double share = options.dynamicShare();
        try (EventStream events = format.events(place(), bytes(), options, share == null ? rule : counter)) {
            while (events.next() != null) {
                // Only the counts matter here.
            }
            ReadReport report = events.report();
            requireTrace(report);
            ClassRule exact = share == null ? rule : counter.ruleFor(share);
            return new TraceFiles(files, format, options, new Scanned(exact, OptionalLong.of(report.events())));
        }
    }

    /** Whether it can be gone through only once, as it comes from standard input or another pipe. */
    public boolean isOnce() {
        return files.stream().anyMatch(TraceInput::isOnce);
    }

    /** The format of the files. */
    public TraceFormat format() {
        return format;
    }

    @Override
    public String name() {
        String first = String.valueOf(files.getFirst().getFileName());
        return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
    }

    @Override
    public EventStream open() {
        return format.events(place(), bytes(), options, rule);
    }

    @Override
    public OptionalLong eventCount() {
        return eventCount;
    }

    /** All files' decompressed bytes, one file after the other, each opened when its turn comes. */
    public InputStream bytes() {
        return files.size() == 1 ? TraceInput.open(files.getFirst()) : new ChainedInput(files);
    }

    /** What messages call it: a single file by its whole path. */
    private String place() {
        return files.size() == 1 ? files.getFirst().toString() : name();
    }

    /**
     * Refuses what has turned out to be no trace.
     *
     * @param report of a pass through it
     * @throws TraceException in one line when it had no event, or more bad entries than good ones
     */
    public void requireTrace(ReadReport report) {
        if (report.events() > 0 && report.bad() <= report.read() / 2) {
            return;
        }
        String first =
                report.samples().isEmpty() ? "it is empty" : report.samples().getFirst();
        throw new TraceException("trace " + place() + ": no " + format + " trace (" + report.bad() + " of "
                + report.read() + " entries are bad; " + first + "); name its format or another file");
    }

    private static TraceFormat guess(Path file) {
        try (InputStream in = TraceInput.open(file)) {
            byte[] start = new byte[PEEK_BYTES];
            int length = in.readNBytes(start, 0, PEEK_BYTES);
            return TraceFormat.guess(start, length)
                    .orElseThrow(() -> new TraceException("trace " + file
                            + (length == 0
                                    ? ": it is empty; name another file"
                                    : ": its beginning is of no known form (World Cup, Common Log Format, time id size,"
                                            + " CSV); name its format or another file")));
        } catch (IOException e) {
            throw new TraceException(
                    "trace " + file + ": cannot be read (" + e.getMessage() + "); check it with gzip -t", e);
        }
    }
}
