package dev.retier.cli.operate;

import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code retier plan}. */
@Command(
        name = "plan",
        description = "Say what would be decided now for each site, and why, whatever the mode and pauses; do nothing.",
        footer = "Exit code 2 when a node would move.")
public final class PlanCommand extends ControlCommand {
    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Plan();
    }

    @Override
    Table table(JsonNode answer) {
        Table table = new Table("site", "decision", "wave", "node", "from", "to", "reason", "held_back_by");
        answer.path("sites").forEach(site -> {
            JsonNode waves = site.path("waves");
            if (waves.isEmpty()) {
                row(table, site, "", site);
            }
            for (int wave = 0; wave < waves.size(); wave++) {
                String number = String.valueOf(wave + 1);
                waves.path(wave).forEach(move -> row(table, site, number, move));
            }
        });
        return table;
    }

    /** Nodes of one wave move together, those of the next once these have. */
    private static void row(Table table, JsonNode site, String wave, JsonNode move) {
        table.row(
                text(site, "site"),
                text(site, "decision"),
                wave,
                text(move, "node"),
                text(move, "from"),
                text(move, "to"),
                text(site, "reason"),
                String.join(
                        ", ",
                        site.path("held_back_by")
                                .valueStream()
                                .map(JsonNode::stringValue)
                                .toList()));
    }

    @Override
    List<String> remarks(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        answer.path("sites")
                .forEach(site ->
                        lines.add(text(site, "site") + ": " + text(site, "sentence") + "; " + text(site, "detail")));
        return lines;
    }
}
