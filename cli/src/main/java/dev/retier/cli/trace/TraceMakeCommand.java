package dev.retier.cli.trace;

import dev.retier.cli.ExitCode;
import dev.retier.cli.trace.options.MadeTraceOptions;
import dev.retier.cli.trace.options.ShapeOptions;
import dev.retier.cli.trace.options.TraceFailures;
import dev.retier.traces.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier trace make}. */
@Command(
        name = "make",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Write a made trace: the same options make the same bytes, on every machine.",
        footer = {
            "",
            "Examples:",
            "  retier trace make --make bursts --burst 2048 --bursts 10 --out bursts.csv",
            "  retier trace make --make mix --mix 0.3 --arrivals poisson:500 --requests 100000 --out mix.csv.gz",
            "  retier trace make --make mix --arrivals series:requests_per_minute.csv.gz:60:0.01 --out worldcup.csv",
            "  retier trace make --make priority-bursts --out high.csv --second-out low.csv"
        })
final class TraceMakeCommand implements Callable<Integer> {
    @Mixin
    private MadeTraceOptions made = new MadeTraceOptions();

    @Mixin
    private WritingOptions writing = new WritingOptions();

    @Option(
            names = "--second-out",
            paramLabel = "FILE",
            description = "priority-bursts, two-sites: where to write the second site's part.")
    private @Nullable Path second;

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            List<Trace> parts = made.parts();
            if (second == null) {
                write(writing.out(), made.trace());
            } else if (parts.size() == 2) {
                write(writing.out(), parts.getFirst());
                write(second, parts.getLast());
            } else {
                throw new IllegalArgumentException(
                        "--second-out is for two sites; add --make priority-bursts or --make two-sites");
            }
            return ExitCode.OK;
        });
    }

    private void write(@Nullable Path file, Trace part) throws IOException {
        Trace shaped = shape.shape(part, made.seed());
        writing.write(spec, file, to -> writing.events(shaped, to).requests());
    }
}
