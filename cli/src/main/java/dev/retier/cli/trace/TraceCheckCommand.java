package dev.retier.cli.trace;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.trace.options.TraceFailures;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import dev.retier.report.Text;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.file.TraceFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier trace check}. */
@Command(
        name = "check",
        description = "Read a trace to its end and say what is wrong with it: bad entries are counted, the first few"
                + " shown. Exits with 1 when anything is.",
        footer = {"", "Example: retier trace check access.log.gz"})
final class TraceCheckCommand implements Callable<Integer> {
    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            TraceFiles files = input.trace(ReplayedMethods.SAFE);
            ReadReport report;
            try (EventStream events = files.open()) {
                while (events.next() != null) {
                    // Only the report matters here.
                }
                report = events.report();
            }
            output.print(spec, table(files, report));
            if (output.format() == OutputFormat.TABLE) {
                PrintWriter out = spec.commandLine().getOut();
                report.samples().forEach(sample -> out.println("  " + Text.printable(sample)));
                out.flush();
            }
            return report.isClean() && report.read() > 0 ? ExitCode.OK : ExitCode.FAILED;
        });
    }

    private static Table table(TraceFiles files, ReadReport report) {
        return new Table("measure", "unit", "value")
                .row("trace", "", Text.printable(files.name()))
                .row("format", "", files.format().toString().toLowerCase(Locale.ROOT))
                .row("read", "entries", report.read())
                .row("requests", "entries", report.events())
                .row("bad", "entries", report.bad())
                .row("of other methods", "entries", report.notReplayed())
                .row("out of order", "entries", report.outOfOrder())
                .row("cut off at the end", "bytes", (long) report.truncatedTailBytes());
    }
}
