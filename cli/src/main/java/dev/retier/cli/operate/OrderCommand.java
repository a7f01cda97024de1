package dev.retier.cli.operate;

import dev.retier.agent.command.Command.Manner;
import dev.retier.report.Table;
import java.util.List;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command by which a node moves; it ends when the move has. */
abstract class OrderCommand extends ControlCommand {
    @Option(names = "--dry-run", description = "Say whether it would be done, and do nothing; exit code 2 if it would.")
    private boolean isDryRun;

    @Option(
            names = "--force",
            description = "Pass over a site's guarantee, rests, the budget of moves, cluster files that differ"
                    + " and edges that say nothing; over nothing else.")
    private boolean isForced;

    final Manner manner() {
        return new Manner(isDryRun, isForced);
    }

    @Override
    final Table table(JsonNode answer) {
        Table table = new Table("outcome", "node", "from", "to", "seconds", "reason");
        table.row(
                text(answer, "outcome"),
                text(answer, "node"),
                text(answer, "from"),
                text(answer, "to"),
                answer.path("seconds").asDouble(0),
                text(answer, "reason"));
        return table;
    }

    @Override
    final List<String> remarks(JsonNode answer) {
        String sentence = text(answer, "sentence");
        String detail = text(answer, "detail");
        return List.of(sentence, detail).stream()
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
