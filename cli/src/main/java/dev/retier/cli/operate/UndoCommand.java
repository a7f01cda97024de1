package dev.retier.cli.operate;

import picocli.CommandLine.Command;

/** {@code retier undo}. */
@Command(
        name = "undo",
        description = "Take the newest move back, if the agent that is asked has seen it and nothing came after it.",
        footer = "Exit codes as of move.")
public final class UndoCommand extends OrderCommand {
    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Undo(manner());
    }
}
