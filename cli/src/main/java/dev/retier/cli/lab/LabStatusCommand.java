package dev.retier.cli.lab;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier lab status}. */
@Command(
        name = "status",
        description = "Show the lab's cluster as the first of its agents that answers sees it; with -p its processes.",
        footer = "Exit code 1 when no lab is up, or none of its agents answers: `./retier lab down` removes it.")
final class LabStatusCommand implements Callable<Integer> {
    @picocli.CommandLine.Option(
            names = {"-p", "--processes"},
            description = "How many processes each of the lab's control groups has.")
    private boolean processes;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        return LabHere.run(() -> {
            Lab lab = LabHere.find();
            if (lab.status().isEmpty()) {
                throw new CommandFailure(ExitCode.FAILED, "no lab is up; make one with ./retier lab up");
            }
            if (processes) {
                Table table = new Table("group", "processes");
                lab.status().forEach(group -> table.row(group.name(), group.processes()));
                output.print(spec, table);
                return ExitCode.OK;
            }
            List<String> arguments = new ArrayList<>(
                    List.of("status", "-o", output.format().name().toLowerCase(java.util.Locale.ROOT)));
            lab.agents().forEach(agent -> arguments.addAll(List.of("--agent", agent)));
            return LabRunCommand.onClient(lab, arguments) == 0 ? ExitCode.OK : ExitCode.FAILED;
        });
    }
}
