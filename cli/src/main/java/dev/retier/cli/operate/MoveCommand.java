package dev.retier.cli.operate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code retier move}. */
@Command(
        name = "move",
        description = "Give a node another role, by the lock, the rails and the journal of a decided move.",
        footer = "Exit codes: 0 done, 2 would be done (--dry-run), 3 refused by a rail, 4 no lock, 5 rolled back,"
                + " 6 timed out.")
public final class MoveCommand extends OrderCommand {
    @Parameters(paramLabel = "NODE", description = "The node, by its name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String node;

    @Option(names = "--to", paramLabel = "ROLE", required = true, description = "SITE/proxy, SITE/app or spare.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String to;

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Move(node, to, manner());
    }
}
