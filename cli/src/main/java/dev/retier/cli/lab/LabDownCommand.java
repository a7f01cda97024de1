package dev.retier.cli.lab;

import dev.retier.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier lab down}. */
@Command(
        name = "down",
        description = "Remove all that a lab has made on this machine: processes, namespaces, control groups, files;"
                + " also what a crash has left.")
final class LabDownCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        return LabHere.run(() -> {
            Lab lab = LabHere.find();
            boolean existed = lab.exists();
            lab.down();
            spec.commandLine().getOut().println(existed ? "lab: removed" : "lab: there was none");
            spec.commandLine().getOut().flush();
            return ExitCode.OK;
        });
    }
}
