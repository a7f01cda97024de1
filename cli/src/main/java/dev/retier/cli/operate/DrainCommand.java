package dev.retier.cli.operate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code retier drain}. */
@Command(
        name = "drain",
        description = "Take a node out of service and keep it out until it is undrained, also over restarts.",
        footer = "Exit codes as of move.")
public final class DrainCommand extends OrderCommand {
    @Parameters(paramLabel = "NODE", description = "The node, by its name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String node;

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Drain(node, manner());
    }
}
