package dev.retier.cli.lab;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier lab}. */
@Command(
        name = "lab",
        description = "A data-center of real Apache httpd nodes on this machine, in network namespaces with a quota of"
                + " processor time each, behind HAProxy. Linux, as root.",
        subcommands = {LabUpCommand.class, LabDownCommand.class, LabStatusCommand.class, LabRunCommand.class})
public final class LabCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: up, down, status or run");
    }
}
