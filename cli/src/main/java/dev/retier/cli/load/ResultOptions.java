package dev.retier.cli.load;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.HelpHeading;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.options.WritableFile;
import dev.retier.config.IoReason;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Totals;
import dev.retier.load.record.RequestFile;
import dev.retier.load.report.HistogramLog;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultCsv;
import dev.retier.load.report.ResultJson;
import dev.retier.load.report.ResultTable;
import dev.retier.load.report.Threshold;
import dev.retier.load.report.page.ReportPage;
import dev.retier.report.OutputFormat;
import dev.retier.report.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What becomes of results: printed, written to files, judged. */
@HelpHeading("The result")
public final class ResultOptions {
    @Mixin
    private OutputOption output = new OutputOption();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write a self-contained HTML page with charts; it also holds the JSON.")
    private @Nullable Path report;

    @Option(names = "--title", paramLabel = "TEXT", description = "Heading of that page.")
    private @Nullable String title;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write all figures as JSON, as -o json prints them; load merge and load compare read it.")
    private @Nullable Path json;

    @Option(
            names = "--hlog",
            paramLabel = "FILE",
            description = "Write latency histograms per interval in HdrHistogram's log format.")
    private @Nullable Path hlog;

    @Option(
            names = "--log-requests",
            paramLabel = "FILE",
            description =
                    "Write a line for every request, as CSV (or JSONL, when the name ends with .jsonl): when it was"
                            + " due, sent and over, and how it ended; of a held stream also when it was opened, its"
                            + " first event and how many came. A disk too slow for it ends the run.")
    private @Nullable Path requests;

    @Option(names = "--intervals", paramLabel = "FILE", description = "Write the counts of each interval as CSV.")
    private @Nullable Path intervals;

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            converter = ThresholdConverter.class,
            description = "Exit with 7 when a site's result is such: p99>50ms, mean, max; rate<1000; failed>0,"
                    + " dropped>0.1%%, late>1%%; of held streams (--hold) ended>0, open<100, events<50 per second, and"
                    + " p99 is of the time to open one. Repeat for several.")
    private List<Threshold> thresholds = List.of();

    static final class ThresholdConverter implements ITypeConverter<Threshold> {
        @Override
        public Threshold convert(String text) {
            try {
                return Threshold.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Fails early, before a run whose result could not be kept. */
    void requireWritable() {
        check("--report", report);
        check("--json", json);
        check("--hlog", hlog);
        check("--intervals", intervals);
        check("--log-requests", requests);
    }

    /** Where every request is written down, for the caller to close; null: nowhere. */
    @Nullable
    RequestFile newRequestFile() {
        return requests == null ? null : RequestFile.create(requests);
    }

    /** Prints and writes {@code runs}, names every crossed threshold, and says how the command ends. */
    ExitCode publish(CommandSpec spec, List<NamedRun> runs) {
        List<LoadResult> results = runs.stream().map(NamedRun::result).toList();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                output.format() == OutputFormat.JSON
                        ? ResultJson.write(results) + System.lineSeparator()
                        : ResultTable.of(runs).format(output.format()));
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        List<String> unwritten = write(runs, results);
        unwritten.forEach(line -> say(err, line));
        if (results.stream().map(LoadResult::hasDueTimes).distinct().count() > 1) {
            String what =
                    "open and closed loops side by side: an open loop's latency counts from the due time, a closed"
                            + " loop's from the sending; they do not compare";
            say(err, what);
        }
        boolean problem = !unwritten.isEmpty();
        boolean unanswered = false;
        for (NamedRun run : runs) {
            run.result().health().warnings().forEach(warning -> say(err, run.name() + ": " + warning));
            if (run.result().problem() != null) {
                problem = true;
                say(err, run.name() + ": " + run.result().problem());
            }
            Totals totals = run.result().totals();
            new TreeMap<>(totals.failures())
                    .forEach((kind, count) -> say(err, run.name() + ": " + failed(run, kind, count)));
            if (totals.answered() == 0) {
                unanswered = true;
                say(err, run.name() + (totals.sent() == 0 ? ": nothing was sent" : ": nothing was answered well"));
            }
        }
        List<String> crossed = crossed(runs);
        crossed.forEach(line -> say(err, line));
        if (!problem && !crossed.isEmpty()) {
            return ExitCode.THRESHOLD;
        }
        return problem || unanswered ? ExitCode.FAILED : ExitCode.OK;
    }

    private static String failed(NamedRun run, FailureKind kind, long count) {
        String cause = run.result().causes().get(kind);
        return count + " requests failed, " + kind + (cause == null ? "" : " (" + cause + ")") + "; " + kind.remedy();
    }

    /** Every file that is wanted, whatever becomes of the others; what could not be written, and why. */
    private List<String> write(List<NamedRun> runs, List<LoadResult> results) {
        List<String> problems = new ArrayList<>();
        write("--report", report, problems, () -> {
            String heading = title == null ? "Load on " + sites(results) : title;
            return new ReportPage(heading, runs).html();
        });
        write("--json", json, problems, () -> ResultJson.write(results) + "\n");
        write("--hlog", hlog, problems, () -> HistogramLog.of(results));
        write("--intervals", intervals, problems, () -> ResultCsv.of(results));
        return problems;
    }

    private static void write(String option, @Nullable Path file, List<String> problems, Supplier<String> text) {
        if (file != null) {
            try {
                WritableFile.write(file, text.get());
            } catch (IOException e) {
                problems.add(option + " " + file + ": cannot be written (" + IoReason.of(e) + "); name another file");
            }
        }
    }

    private List<String> crossed(List<NamedRun> runs) {
        List<String> lines = new ArrayList<>();
        for (NamedRun run : runs) {
            Stream<Threshold> crossed = thresholds.stream().filter(threshold -> threshold.isCrossedBy(run.result()));
            crossed.forEach(threshold -> lines.add(String.format(
                    Locale.ROOT,
                    "%s: --fail-if '%s' holds: %s",
                    run.name(),
                    threshold.text(),
                    threshold.describe(run.result()))));
        }
        return lines;
    }

    private static String sites(List<LoadResult> results) {
        return String.join(
                ", ", results.stream().map(LoadResult::site).distinct().toList());
    }

    private static void say(PrintWriter err, String line) {
        err.println("retier: " + Text.printable(line));
        err.flush();
    }

    private static void check(String option, @Nullable Path file) {
        if (file != null) {
            WritableFile.require(option, file);
        }
    }
}
