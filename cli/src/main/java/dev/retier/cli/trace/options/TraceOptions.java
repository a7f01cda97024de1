package dev.retier.cli.trace.options;

import dev.retier.cli.options.HelpHeading;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.file.TraceFormat;
import dev.retier.traces.file.TraceInput;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.shape.MergedTrace;
import dev.retier.traces.worldcup.WorldCupObjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked for: recorded traces and how to read them, or a made one. */
@HelpHeading("What is asked for: a recorded trace")
public final class TraceOptions {
    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = {
                "A recorded trace: World Cup 98, Common or Combined Log Format, lines of time, id and size, or our own"
                        + " CSV; told apart by its bytes, gzip or not. Repeat it, or write a pattern such as"
                        + " 'wc_day66_*.gz': files are read one after the other, in the order that people number"
                        + " files. - is standard input, with --format."
            })
    private List<String> files = List.of();

    @Mixin
    private ReadingOptions reading = new ReadingOptions();

    @Option(
            names = "--merge",
            description = "Replay all files at the same time, each from its own start, not one after the other.")
    private boolean merge;

    @Option(
            names = "--all-methods",
            description = "Replay POST, PUT, DELETE and other methods, too: only for a server that may be changed"
                    + " (default: GET and HEAD only).")
    private boolean allMethods;

    @Mixin
    private MadeTraceOptions made = new MadeTraceOptions();

    /** Whether a recorded trace is named. */
    public boolean isRecorded() {
        return !files.isEmpty();
    }

    /** Whether it can be read only once. */
    public boolean isPiped() {
        return TracePaths.of(files).stream().anyMatch(TraceInput::isOnce);
    }

    /** The options of a made trace. */
    public MadeTraceOptions made() {
        return made;
    }

    /**
     * The trace.
     *
     * @param path URL path to ask for again and again when neither a file nor a kind is named; null: bursts
     * @throws IllegalArgumentException for options that do not fit
     * @throws dev.retier.traces.TraceException for a file that cannot be used
     */
    public Trace trace(@Nullable String path) {
        if (isRecorded()) {
            if (made.isNamed()) {
                throw new IllegalArgumentException("--make and --trace exclude each other; give one of them");
            }
            return recorded();
        }
        return path == null || made.isNamed()
                ? made.trace()
                : GeneratedTrace.single(made.requests(), GeneratedTrace.RequestedObject.of(path), made.seed());
    }

    private Trace recorded() {
        ReadOptions options = reading.options();
        ReadOptions chosen = allMethods ? options.withMethods(ReplayedMethods.ALL) : options;
        List<Path> paths = TracePaths.of(files);
        if (!merge) {
            return scanned(paths, chosen);
        }
        return new MergedTrace(
                paths.stream().map(path -> scanned(List.of(path), chosen)).toList());
    }

    /** Standard input cannot be read twice, so it is not looked through beforehand. */
    private static Trace scanned(List<Path> paths, ReadOptions options) {
        TraceFiles trace = TraceFiles.of(paths, options);
        return trace.isOnce() ? trace : trace.scan();
    }

    /** How recorded traces are read. */
    public static final class ReadingOptions {
        @Option(names = "--format", description = "Form of the trace: ${COMPLETION-CANDIDATES} (default: found out).")
        private @Nullable TraceFormat format;

        @Mixin
        private DynamicShareOption dynamic = new DynamicShareOption();

        @Option(
                names = "--web-node",
                description = "Ask for the URLs that web-node answers, with the recorded sizes, and not for the logged"
                        + " ones. World Cup logs have no URLs, so this is how they are read without --mapping.")
        private boolean webNode;

        @Option(
                names = "--mapping",
                paramLabel = "FILE",
                description = "World Cup: the URLs of its objects (object_mappings.sort, gzip or not).")
        private @Nullable Path mapping;

        /** The file of URLs; null: none was given. */
        public @Nullable Path mapping() {
            return mapping;
        }

        /** All of them, for the reader. */
        public ReadOptions options() {
            ReadOptions options = new ReadOptions(format, dynamic.share(), Long.MAX_VALUE, webNode);
            return mapping == null || webNode ? options : options.withObjects(objects(mapping));
        }

        /** The URLs of World Cup objects in {@code file}; {@link IllegalArgumentException} when it cannot be read. */
        public static WorldCupObjects objects(Path file) {
            try (InputStream in = TraceInput.open(file)) {
                return WorldCupObjects.read(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new IllegalArgumentException("--mapping " + file + ": " + e.getMessage(), e);
            }
        }
    }
}
