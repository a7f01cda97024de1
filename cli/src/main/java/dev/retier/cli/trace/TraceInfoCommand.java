package dev.retier.cli.trace;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.trace.options.ShapeOptions;
import dev.retier.cli.trace.options.TraceFailures;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import dev.retier.report.Text;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.TraceException;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.file.TraceFormat;
import dev.retier.traces.statistics.TraceStatistics;
import dev.retier.traces.worldcup.WorldCupStatistics;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier trace info}. */
@Command(
        name = "info",
        description = "What a trace is like: length, peak, burstiness, popularity, mix. Of World Cup logs, first what"
                + " their official checklog prints.",
        footer = {
            "",
            "Examples:",
            "  retier trace info access.log.gz",
            "  retier trace info --checklog 'wc_day66_*.gz'     # byte for byte what checklog prints"
        })
final class TraceInfoCommand implements Callable<Integer> {
    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Option(names = "--checklog", description = "World Cup: print what the official checklog prints, and no more.")
    private boolean checklog;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            TraceFiles files = input.trace(ReplayedMethods.SAFE);
            boolean worldCup = files.format() == TraceFormat.WORLDCUP && !files.isOnce();
            if (checklog && !worldCup) {
                throw new IllegalArgumentException(
                        "--checklog is for World Cup files; this is " + files.format() + " or standard input");
            }
            if (checklog) {
                printChecklog(files);
                return ExitCode.OK;
            }
            TraceStatistics statistics = TraceStatistics.of(shape.shape(files, 1));
            files.requireTrace(statistics.reading());
            if (worldCup && output.format() == OutputFormat.TABLE) {
                printChecklog(files);
            }
            output.print(spec, table(statistics));
            return ExitCode.OK;
        });
    }

    private void printChecklog(TraceFiles files) throws IOException {
        try (InputStream in = files.bytes()) {
            WorldCupStatistics statistics = WorldCupStatistics.read(in);
            PrintWriter out = spec.commandLine().getOut();
            out.print(statistics.checklogText());
            if (!checklog) {
                out.println();
            }
            out.flush();
        } catch (IOException e) {
            throw new TraceException("trace " + files.name() + ": " + e.getMessage(), e);
        }
    }

    private static Table table(TraceStatistics trace) {
        ReadReport reading = trace.reading();
        return new Table("measure", "unit", "value")
                .row("trace", "", Text.printable(trace.name()))
                .row("requests", "requests", trace.requests())
                .row("span", "s", trace.spanSeconds())
                .row("mean rate", "requests/s", trace.meanPerSecond())
                .row("peak", "requests in a second", trace.peakPerSecond())
                .row("peak over mean", "ratio", trace.peakToMean())
                .row("burstiness", "variance over mean of a second", trace.indexOfDispersion())
                .row("static", "requests", trace.staticRequests())
                .row("dynamic", "requests", trace.dynamicRequests())
                .row("conditional", "requests", trace.conditionalRequests())
                .row("known body bytes", "bytes", trace.bytes())
                .row("clients", "clients", trace.clients())
                .row("objects", "objects", trace.objects())
                .row("ten most popular", "share of requests", trace.topTenShare())
                .row("Zipf slope", "log count over log rank", trace.zipfSlope())
                .row("bursts", "segments", trace.segments())
                .row("entries read", "entries", reading.read())
                .row("bad", "entries", reading.bad())
                .row("of other methods", "entries", reading.notReplayed())
                .row("out of order", "entries", reading.outOfOrder());
    }
}
