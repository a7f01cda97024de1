package dev.retier.cli.operate;

import dev.retier.report.Table;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code retier repair}. */
@Command(
        name = "repair",
        description = "Give a node the role that its journal has, if a peer has written another into its role word.",
        footer = "Run it on the machine of that node. What can be no role word its agent puts back by itself."
                + " Exit codes as of move.")
public final class RepairCommand extends ControlCommand {
    @Parameters(paramLabel = "NODE", description = "The node, by its name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String node;

    @Option(names = "--dry-run", description = "Say what is wrong, and change nothing; exit code 2 if something is.")
    private boolean isDryRun;

    @Override
    String node() {
        return node;
    }

    @Override
    dev.retier.agent.command.Command command() {
        return new dev.retier.agent.command.Command.Repair(node, isDryRun);
    }

    @Override
    Table table(JsonNode answer) {
        Table table = new Table("outcome", "node", "role", "journal");
        table.row(text(answer, "outcome"), text(answer, "node"), text(answer, "role"), text(answer, "journal"));
        return table;
    }

    @Override
    List<String> remarks(JsonNode answer) {
        String detail = text(answer, "detail");
        return detail.isEmpty() ? List.of() : List.of(detail);
    }
}
