package dev.retier.cli.secret;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier secret}: what is done with the secret of a cell. */
@Command(
        name = "secret",
        description = "Make or replace the secret by which the agents of a cell know each other.",
        subcommands = {NewSecretCommand.class, RotateSecretCommand.class})
public final class SecretCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
