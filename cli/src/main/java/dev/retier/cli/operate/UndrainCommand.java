package dev.retier.cli.operate;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code retier undrain}. */
@Command(
        name = "undrain",
        description = "Let a drained node be used again: as a spare one, which the next pressed tier takes.",
        footer = "Exit codes as of move.")
public final class UndrainCommand extends OrderCommand {
    @Parameters(paramLabel = "NODE", description = "The node, by its name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String node;

    @Option(names = "--to", paramLabel = "ROLE", description = "SITE/proxy or SITE/app: give it this role at once.")
    private @Nullable String to;

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Undrain(node, to, manner());
    }
}
