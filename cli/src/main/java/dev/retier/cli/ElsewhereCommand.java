package dev.retier.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Stands for a command of a package that is not installed, and says so whatever it is asked. */
@Command(description = "Is in the package " + ElsewhereCommand.PACKAGE + ", which is not installed here.")
final class ElsewhereCommand implements Callable<Integer> {
    static final String PACKAGE = "retier-tools";

    @Unmatched
    @SuppressWarnings("UnusedVariable") // what picocli puts here it does not refuse
    private List<String> anything = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandFailure(
                ExitCode.USAGE,
                spec.name() + " is in the package " + PACKAGE + ", which is not installed here; on Debian:"
                        + " apt-get install " + PACKAGE);
    }
}
