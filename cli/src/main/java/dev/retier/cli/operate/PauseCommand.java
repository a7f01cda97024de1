package dev.retier.cli.operate;

import dev.retier.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code retier pause}. */
@Command(
        name = "pause",
        description = "Let no agent of the cluster decide on moves until resume; moves by hand go on.",
        footer = "It outlives restarts of the agents.")
public class PauseCommand extends ControlCommand {
    @Option(names = "--here", description = "This agent alone, and not all of the cluster.")
    private boolean isHereOnly;

    final boolean isHereOnly() {
        return isHereOnly;
    }

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Pause(isHereOnly);
    }

    @Override
    final Table table(JsonNode answer) {
        final Table table = new Table("outcome", "paused_cluster", "paused_here", "detail");
        table.row(
                text(answer, "outcome"),
                answer.path("paused_cluster").asBoolean(false),
                answer.path("paused_here").asBoolean(false),
                text(answer, "detail"));
        return table;
    }
}
