package dev.retier.cli.operate;

import dev.retier.report.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code retier diff}. */
@Command(
        name = "diff",
        description = "Show what the agent would change in its server's file now, or in another role.",
        footer = "Exit code 2 when it would change something.")
public final class DiffCommand extends ControlCommand {
    @Option(names = "--to", paramLabel = "ROLE", description = "In this role: SITE/proxy, SITE/app or spare.")
    private @Nullable String to;

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Diff(to);
    }

    @Override
    Table table(JsonNode answer) {
        Table table = new Table("outcome", "node", "role", "stamp", "file", "detail");
        table.row(
                text(answer, "outcome"),
                text(answer, "node"),
                text(answer, "role"),
                answer.path("stamp").asLong(0),
                text(answer, "file"),
                text(answer, "detail"));
        return table;
    }

    @Override
    List<String> remarks(JsonNode answer) {
        return answer.path("lines").valueStream().map(JsonNode::stringValue).toList();
    }
}
