package dev.retier.cli.trace;

import dev.retier.cli.trace.options.TraceOptions;
import dev.retier.cli.trace.options.TracePaths;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The recorded traces that a trace command looks at. */
final class InputOptions {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Traces, gzip or not; patterns such as 'wc_day66_*.gz' are read in the order that people"
                    + " number files; - is standard input, with --format.")
    private List<String> files = List.of();

    @Mixin
    private TraceOptions.ReadingOptions reading = new TraceOptions.ReadingOptions();

    TraceOptions.ReadingOptions reading() {
        return reading;
    }

    /** The files as one trace; an exact dynamic share needs one look through, unless they come from a pipe. */
    TraceFiles trace(ReplayedMethods methods) {
        List<Path> paths = TracePaths.of(files);
        ReadOptions options = reading.options().withMethods(methods);
        TraceFiles trace = TraceFiles.of(paths, options);
        boolean counted = options.dynamicShare() != null && !trace.isOnce();
        return counted ? trace.scan() : trace;
    }
}
