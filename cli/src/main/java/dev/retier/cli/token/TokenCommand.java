package dev.retier.cli.token;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier token}: what callers of agents show who have no certificate. */
@Command(
        name = "token",
        description = "Make tokens by which people and programs prove to agents who they are.",
        subcommands = NewTokenCommand.class)
public final class TokenCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
