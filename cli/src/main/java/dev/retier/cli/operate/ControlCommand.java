package dev.retier.cli.operate;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** A command that an agent carries out: asks, prints the answer, and ends with the exit code that stands for it. */
abstract class ControlCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** What is asked for. */
    abstract Command command();

    /** The answer as a table. */
    abstract Table table(JsonNode answer);

    /** The node whose agent must be asked; empty when any will do. */
    String node() {
        return "";
    }

    /** What a person is told besides the table. */
    List<String> remarks(JsonNode answer) {
        return List.of();
    }

    @Override
    public final Integer call() {
        Answer answer = control.ask(command(), node());
        if (output.format() == OutputFormat.JSON) {
            spec.commandLine().getOut().println(answer.body().toPrettyString());
        } else {
            output.print(spec, table(answer.body()));
            if (output.format() == OutputFormat.TABLE) {
                remarks(answer.body()).forEach(spec.commandLine().getOut()::println);
            }
        }
        spec.commandLine().getOut().flush();
        return ControlOptions.exitCode(answer).code();
    }

    /** A member of the answer as text, empty when it has none. */
    static String text(JsonNode answer, String key) {
        return answer.path(key).asString("");
    }
}
