package dev.retier.cli;

import dev.retier.load.trace.BodySizes;
import dev.retier.load.trace.BurstPlan;
import dev.retier.load.trace.Catalogue;
import dev.retier.load.trace.GeneratedTrace;
import dev.retier.load.trace.RequestClass;
import dev.retier.load.trace.Trace;
import dev.retier.load.trace.file.ReadOptions;
import dev.retier.load.trace.file.TraceFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which trace to send: a World Cup 98 log, alternating bursts, or a mix. */
final class TraceOptions {
    @Option(names = "--trace", paramLabel = "FILE", description = "A World Cup 98 log, raw or gzip.")
    private @Nullable Path file;

    @Option(
            names = "--dynamic-share",
            paramLabel = "SHARE",
            description = "With --trace: make about this share of the requests dynamic, 0 to 1 (default: as logged).")
    private @Nullable Double dynamicShare;

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Requests per burst; static and dynamic bursts take turns (default: ${DEFAULT-VALUE}).")
    private long burst;

    @Option(
            names = "--bursts",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int bursts;

    @Option(
            names = "--mix",
            paramLabel = "SHARE",
            description = "No bursts: each request is dynamic with this probability, 0 to 1.")
    private @Nullable Double mix;

    @Option(
            names = "--zipf",
            paramLabel = "EXPONENT",
            defaultValue = "0.8",
            description = "Popularity (default: ${DEFAULT-VALUE}).")
    private double zipf;

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Objects per class (default: ${DEFAULT-VALUE}).")
    private int objects;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all that is random (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** The trace; {@link CommandFailure} for options that do not fit, LoadException for a file that cannot be used. */
    Trace trace() {
        try {
            if (file != null) {
                return TraceFiles.of(List.of(file), new ReadOptions(null, dynamicShare, Long.MAX_VALUE, true))
                        .scan();
            }
            Catalogue catalogue = new Catalogue(objects, zipf, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));
            return mix == null
                    ? GeneratedTrace.alternating(new BurstPlan(burst, bursts, RequestClass.STATIC), catalogue, seed)
                    : GeneratedTrace.mixed(Math.multiplyExact(burst, bursts), mix, catalogue, seed);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
