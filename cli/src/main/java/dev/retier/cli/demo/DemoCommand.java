package dev.retier.cli.demo;

import dev.retier.agent.ReconfigException;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.RetierCommand;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.options.PcapOption;
import dev.retier.cli.options.WritableFile;
import dev.retier.cli.terminal.Screen;
import dev.retier.cli.trace.options.DynamicShareOption;
import dev.retier.cli.trace.options.SeedOption;
import dev.retier.link.StateException;
import dev.retier.load.LoadException;
import dev.retier.load.drive.Connections;
import dev.retier.traces.TraceException;
import dev.retier.webnode.WebNodeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code retier demo}. */
@Command(
        name = "demo",
        description = "Show an emulated data-center reconfiguring itself under load: the same trace first against the"
                + " best rigid split, then with nodes moving between the tiers.")
public final class DemoCommand implements Callable<Integer> {
    @Option(names = "--nodes", paramLabel = "N", defaultValue = "7", description = "Emulated nodes (default: 7).")
    private int nodes;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Replay this log, World Cup 98 or Common Log Format, gzip or not.")
    private @Nullable Path trace;

    @Mixin
    private DynamicShareOption dynamic = new DynamicShareOption();

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "11000",
            description = "Requests per burst; static and dynamic bursts take turns (default: ${DEFAULT-VALUE}).")
    private long burst;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "75",
            description = "About how long the rigid pass should take; the trace is made or repeated to fit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = {"-S", "--sensitivity"},
            paramLabel = "DURATION",
            defaultValue = "50ms",
            converter = DurationConverter.class,
            description = "Time between two looks at the shared state (default: ${DEFAULT-VALUE}).")
    private Duration sensitivity = Duration.ZERO;

    @Option(
            names = {"-T", "--history"},
            paramLabel = "DURATION",
            defaultValue = "200ms",
            converter = DurationConverter.class,
            description = "How long a pressure must hold before it counts (default: ${DEFAULT-VALUE}).")
    private Duration history = Duration.ZERO;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--connections",
            description = "What becomes of them: spread (kept; as proxies come and go, clients move so that all have"
                    + " their share), stay (kept where they are, until a proxy lets them go), new (one for each"
                    + " request) (default: ${DEFAULT-VALUE}).")
    private Connections connections = Connections.SPREAD;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Option(
            names = "--close",
            paramLabel = "PART:NODE@SECONDS",
            converter = ClosureConverter.class,
            description =
                    "Close a part while the reconfigured pass runs, as in web-node:3@20s or agent:3@20s; repeatable.")
    private List<Closure> closures = List.of();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "retier-demo.html",
            description = "Where to write the HTML report (default: ${DEFAULT-VALUE}).")
    private Path report = Path.of("");

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write what was run, and the bursts and moves of both passes, as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--open",
            description =
                    "Open the page that shows the cell in the browser while it runs; without a display, say where it"
                            + " is.")
    private boolean isOpening;

    @Mixin
    private PcapOption pcap = new PcapOption();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    static final class ClosureConverter implements ITypeConverter<Closure> {
        @Override
        public Closure convert(String text) {
            try {
                return Closure.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DemoSettings settings = new DemoSettings(
                nodes,
                trace,
                dynamic.share(),
                burst,
                Duration.ofSeconds(seconds),
                sensitivity,
                history,
                clients,
                connections,
                seed.seed(),
                closures);
        List<String> problems = settings.problems();
        if (!problems.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, String.join("\n", problems));
        }
        WritableFile.require("--report", report);
        if (json != null) {
            WritableFile.require("--json", json);
        }
        pcap.apply();
        if (!((RetierCommand) spec.root().userObject()).debug()) {
            Logging.errorsOnly();
        }
        try (ScratchFolder scratch = ScratchFolder.create("retier-demo")) {
            // The table goes to standard output, all else to standard error, so that -o json can be piped on.
            PrintWriter progress = spec.commandLine().getErr();
            Optional<PageOpener> opener = isOpening ? Optional.of(new PageOpener(System.getenv())) : Optional.empty();
            DemoResult result = new Demo(settings, progress, Screen.isTerminal(), opener).run(scratch.path());
            Files.writeString(report, DemoReport.html(result));
            if (json != null) {
                Files.writeString(json, DemoJson.of(result));
            }
            output.print(spec, result.table());
            progress.println(String.format(
                    Locale.ROOT,
                    "Reconfigured reached %.0f %% of the oracle. Report: %s",
                    100 * result.shareOfOracle(),
                    report.toAbsolutePath()));
            return ExitCode.OK.code();
        } catch (LoadException | TraceException | WebNodeException | StateException | ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
