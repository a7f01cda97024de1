package dev.retier.cli.trace;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier trace}. */
@Command(
        name = "trace",
        description = "Look at traces, convert them, make them, check them; what caches would have had of a volume's.",
        subcommands = {
            TraceInfoCommand.class,
            TraceConvertCommand.class,
            TraceMakeCommand.class,
            TraceCheckCommand.class,
            TraceCacheCommand.class
        })
public final class TraceCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: info, convert, make, check or cache");
    }
}
