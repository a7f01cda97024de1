package dev.retier.cli;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigException;
import dev.retier.agent.files.ConfigFile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier validate}. */
@Command(
        name = "validate",
        description = "Check a cluster file: every problem at once, with its line; nothing is changed.")
final class ValidateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            ClusterConfig cluster = ConfigFile.read(file);
            spec.commandLine()
                    .getOut()
                    .println(file + ": good: cluster " + cluster.name() + ", "
                            + cluster.nodes().size() + " nodes, "
                            + cluster.sites().size() + " sites, mode "
                            + cluster.mode().name().toLowerCase(Locale.ROOT));
            spec.commandLine().getOut().flush();
            return ExitCode.OK.code();
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }
}
