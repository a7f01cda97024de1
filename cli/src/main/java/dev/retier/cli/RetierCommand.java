package dev.retier.cli;

import dev.retier.cli.bundle.BundleCommand;
import dev.retier.cli.cert.CertCommand;
import dev.retier.cli.node.AgentCommand;
import dev.retier.cli.node.EdgeCommand;
import dev.retier.cli.node.TrainCommand;
import dev.retier.cli.node.WebNodeCommand;
import dev.retier.cli.operate.DevicesCommand;
import dev.retier.cli.operate.DiffCommand;
import dev.retier.cli.operate.DoctorCommand;
import dev.retier.cli.operate.DrainCommand;
import dev.retier.cli.operate.ExplainCommand;
import dev.retier.cli.operate.HistoryCommand;
import dev.retier.cli.operate.InstallCommand;
import dev.retier.cli.operate.MoveCommand;
import dev.retier.cli.operate.PauseCommand;
import dev.retier.cli.operate.PlanCommand;
import dev.retier.cli.operate.RepairCommand;
import dev.retier.cli.operate.ResumeCommand;
import dev.retier.cli.operate.StatusCommand;
import dev.retier.cli.operate.TopCommand;
import dev.retier.cli.operate.UndoCommand;
import dev.retier.cli.operate.UndrainCommand;
import dev.retier.cli.operate.ValidateCommand;
import dev.retier.cli.secret.SecretCommand;
import dev.retier.cli.token.TokenCommand;
import dev.retier.cli.volume.VolumeCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code retier}: the command above all sub-commands. */
@Command(
        name = "retier",
        description = "Moves whole machines between the tiers of a web data-center while they run.",
        versionProvider = VersionCommand.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            AgentCommand.class,
            EdgeCommand.class,
            StatusCommand.class,
            TopCommand.class,
            ExplainCommand.class,
            PlanCommand.class,
            MoveCommand.class,
            DrainCommand.class,
            UndrainCommand.class,
            UndoCommand.class,
            RepairCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            HistoryCommand.class,
            DiffCommand.class,
            ValidateCommand.class,
            DoctorCommand.class,
            BundleCommand.class,
            DevicesCommand.class,
            InstallCommand.class,
            SecretCommand.class,
            CertCommand.class,
            TokenCommand.class,
            VolumeCommand.class,
            WebNodeCommand.class,
            TrainCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        })
public final class RetierCommand implements Runnable {
    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "Log more, and print the whole stack of a failure.")
    private boolean debug;

    @Option(
            names = "--log-format",
            scope = ScopeType.INHERIT,
            paramLabel = "text|json",
            defaultValue = "${env:RETIER_LOG_FORMAT:-text}",
            description = "How log lines are written on standard error: for people, or as one JSON object each"
                    + " (default: what RETIER_LOG_FORMAT in the environment says, else text).")
    private LogFormat logFormat = LogFormat.TEXT;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Whether {@code --debug} was given. */
    public boolean debug() {
        return debug;
    }

    /** How log lines are to be written. */
    LogFormat logFormat() {
        return logFormat;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
