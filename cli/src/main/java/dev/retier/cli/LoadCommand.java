package dev.retier.cli;

import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadPlanBuilder;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.drive.LoadSnapshot;
import dev.retier.load.measure.Latency;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier load}. */
@Command(
        name = "load",
        description = "Send a trace to one site with closed-loop clients, following its current proxies.",
        footer = "SIGINT ends the run with the result so far.")
final class LoadCommand implements Callable<Integer> {
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    private static final double NANOS_PER_MILLI = 1e6;

    @ArgGroup(multiplicity = "1", heading = "Where to send it%n")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Where where;

    @Mixin
    private TraceOptions trace = new TraceOptions();

    @Option(names = "--site", defaultValue = "shop", description = "The site's name (default: ${DEFAULT-VALUE}).")
    private String site = "shop";

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "48",
            description = "Connections, each with one request outstanding (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--loops", paramLabel = "N", defaultValue = "1", description = "How often to go through the trace.")
    private int loops;

    @Option(
            names = "--duration",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "End after this time, as in 30s (default: when the trace ends).")
    private @Nullable Duration duration;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final AtomicBoolean printed = new AtomicBoolean();

    static final class Where {
        @Option(names = "--target", paramLabel = "HOST:PORT", description = "A server; repeat for several.")
        private List<String> targets = List.of();

        @Option(
                names = "--targets-file",
                paramLabel = "FILE",
                description = "A target list (JSON), followed as it changes.")
        private @Nullable Path file;

        @Option(names = "--agent", paramLabel = "URL", description = "An agent to follow; repeat for several.")
        private List<URI> agents = List.of();

        TargetSource source() {
            if (file != null) {
                return TargetSource.file(file);
            }
            return agents.isEmpty()
                    ? TargetSource.fixed(targets.stream().map(Target::parse).toList())
                    : TargetSource.agents(agents);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        LoadPlanBuilder plan = LoadPlan.of(site, trace.trace(), where.source())
                .withClients(clients)
                .withLoops(loops);
        if (duration != null) {
            plan.withDuration(duration);
        }
        LoadRun run = LoadRun.start(plan.build());
        TerminationSignal.onTermination(() -> {
            run.close();
            printOnce(run.result());
        });
        PrintWriter err = spec.commandLine().getErr();
        while (!run.await(PROGRESS_INTERVAL)) {
            err.println(progress(run.snapshot()));
            err.flush();
        }
        printOnce(run.result());
        return run.result().problem() == null ? ExitCode.OK.code() : ExitCode.FAILED.code();
    }

    private static String progress(LoadSnapshot now) {
        Double share = now.progressShare();
        return String.format(
                Locale.ROOT,
                "%6.1f s  %s  static %.0f/s  dynamic %.0f/s  failed %d  targets %d",
                now.elapsedMillis() / 1000.0,
                share == null ? "" : Math.round(share * 100) + " %",
                now.staticPerSecond(),
                now.dynamicPerSecond(),
                now.totals().failed(),
                now.targets().targets().size());
    }

    private void printOnce(LoadResult result) {
        if (!printed.compareAndSet(false, true)) {
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                output.format() == OutputFormat.JSON
                        ? ResultJson.write(List.of(result)) + System.lineSeparator()
                        : table(result).format(output.format()));
        out.flush();
        if (result.problem() != null) {
            spec.commandLine().getErr().println("retier: " + result.problem());
        }
    }

    private static Table table(LoadResult result) {
        Table table = new Table("measure", "unit", "value")
                .row("sent", "requests", result.totals().sent())
                .row("answered", "requests", result.totals().answered())
                .row("failed", "requests", result.totals().failed())
                .row("dropped", "requests", result.totals().dropped())
                .row("elapsed", "s", result.elapsedMillis() / 1000)
                .row("throughput", "requests/s", result.answeredPerSecond());
        latency(table, "static", result.staticLatency());
        latency(table, "dynamic", result.dynamicLatency());
        result.totals().failures().forEach((kind, count) -> table.row("failed: " + kind, "requests", count));
        return table;
    }

    private static void latency(Table table, String name, Latency latency) {
        if (latency.count() > 0) {
            table.row(name + " latency p50", "ms", latency.p50Nanos() / NANOS_PER_MILLI)
                    .row(name + " latency p99", "ms", latency.p99Nanos() / NANOS_PER_MILLI)
                    .row(name + " latency max", "ms", latency.maxNanos() / NANOS_PER_MILLI);
        }
    }
}
