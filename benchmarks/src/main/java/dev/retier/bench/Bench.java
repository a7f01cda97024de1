package dev.retier.bench;

import dev.retier.bench.agent.AgentBench;
import dev.retier.bench.agent.ViewersBench;
import dev.retier.bench.all.AllBench;
import dev.retier.bench.binding.BindingBench;
import dev.retier.bench.board.AblationBench;
import dev.retier.bench.board.BoardBench;
import dev.retier.bench.figures.FiguresBench;
import dev.retier.bench.herd.HerdBench;
import dev.retier.bench.iwarp.IwarpBench;
import dev.retier.bench.lab.ChainBench;
import dev.retier.bench.lab.LabBench;
import dev.retier.bench.lab.MovesBench;
import dev.retier.bench.lab.PlacementBench;
import dev.retier.bench.lab.SitesBench;
import dev.retier.bench.load.LoadBench;
import dev.retier.bench.load.TraceBench;
import dev.retier.bench.mutation.MutationBench;
import dev.retier.bench.pressure.PressureBench;
import dev.retier.bench.rpc.RpcBench;
import dev.retier.bench.scale.ScaleBench;
import dev.retier.bench.state.FaultsBench;
import dev.retier.bench.state.RegionsBench;
import dev.retier.bench.state.StalenessBench;
import dev.retier.bench.state.StateBench;
import dev.retier.bench.state.TlsBench;
import dev.retier.bench.strangers.StrangersBench;
import dev.retier.bench.upgrade.UpgradeBench;
import dev.retier.bench.volumes.VolumesBench;
import dev.retier.config.IoReason;
import dev.retier.link.TransportException;
import dev.retier.load.LoadException;
import dev.retier.traces.TraceException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code ./retier bench}: the measurements, each beside its alternative. */
@Command(
        name = "retier bench",
        description = "Measure retier beside the alternatives. Figures mean something on a quiet machine only.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            IwarpBench.class,
            FaultsBench.class,
            StateBench.class,
            StalenessBench.class,
            RegionsBench.class,
            PressureBench.class,
            RpcBench.class,
            VolumesBench.class,
            BindingBench.class,
            LoadBench.class,
            TraceBench.class,
            FiguresBench.class,
            BoardBench.class,
            AblationBench.class,
            ScaleBench.class,
            HerdBench.class,
            LabBench.class,
            SitesBench.class,
            MovesBench.class,
            PlacementBench.class,
            ChainBench.class,
            AgentBench.class,
            ViewersBench.class,
            TlsBench.class,
            StrangersBench.class,
            UpgradeBench.class,
            MutationBench.class,
            AllBench.class
        })
public final class Bench implements Runnable {
    private static final int FAILED = 1;
    private static final int USAGE = 64;
    private static final int CONFIG = 78;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private Bench() {}

    /** Runs one measurement and ends the process: 0 done, 1 failed, 64 wrong command line, 78 no such transport. */
    public static void main(String... arguments) {
        System.exit(run(arguments));
    }

    /** Runs one measurement in this process and returns its exit code. */
    static int run(String... arguments) {
        return command().execute(arguments);
    }

    /** The command line, which prints its result to its output. */
    static CommandLine command() {
        return new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((failure, _) -> {
                    CommandLine command = failure.getCommandLine();
                    command.getErr().println("retier: " + failure.getMessage());
                    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
                    return USAGE;
                })
                .setExecutionExceptionHandler((failure, command, _) -> {
                    command.getErr().println("retier: " + explained(failure));
                    if (isOurMistake(failure)) {
                        failure.printStackTrace(command.getErr());
                    }
                    return failure instanceof TransportException ? CONFIG : FAILED;
                });
    }

    private static String explained(Exception failure) {
        if (isOurMistake(failure)) {
            return "the measurement failed (" + failure + "); please report this";
        }
        return failure instanceof FileSystemException system
                ? system.getFile() + ": " + IoReason.of(system)
                : String.valueOf(failure.getMessage());
    }

    private static boolean isOurMistake(Exception failure) {
        return failure instanceof RuntimeException
                && !(failure instanceof LoadException)
                && !(failure instanceof TraceException)
                && !(failure instanceof TransportException)
                && !(failure instanceof IllegalArgumentException);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which measurement to run");
    }
}
