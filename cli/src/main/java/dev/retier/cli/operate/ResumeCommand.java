package dev.retier.cli.operate;

import picocli.CommandLine.Command;

/** {@code retier resume}: as {@code pause}, but for what it asks. */
@Command(name = "resume", description = "Let the agents decide again.")
public final class ResumeCommand extends PauseCommand {
    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Resume(isHereOnly());
    }
}
