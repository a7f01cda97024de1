package dev.retier.cli.operate;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code retier explain}. */
@Command(
        name = "explain",
        description = "Say why nodes move or stay, and what became of the moves of the agent's own node.",
        footer = "A move is told by the agent of the node that moved; ask that one why it was rolled back.")
public final class ExplainCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1", exclusive = true)
    private AskedAgent asked = new AskedAgent();

    @Mixin
    private AgentAccessOptions access = new AgentAccessOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        AgentClient client = asked.client(access);
        ObjectNode status = client.json(client.text("/v1/status"));
        PrintWriter out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.JSON) {
            out.println(status.retain("cluster", "node", "mode", "decisions", "shadow", "moves")
                    .toPrettyString());
            out.flush();
            return ExitCode.OK.code();
        }
        if (output.format() == OutputFormat.TABLE) {
            status.path("decisions").forEach(decision -> {
                out.println(sentence(decision));
                decision.path("by_value")
                        .forEach(change -> ValueText.lines(change).forEach(line -> out.println("  " + line)));
            });
            if (status.has("shadow")) {
                ShadowText.lines(status.path("shadow")).forEach(out::println);
            }
            out.println();
        }
        output.print(spec, moves(status));
        return ExitCode.OK.code();
    }

    private static String sentence(JsonNode decision) {
        JsonNode waves = decision.path(decision.has("would") ? "would" : "waves");
        String move = waves.isArray()
                ? waves.valueStream()
                        .map(wave -> wave.valueStream().map(ValueText::move).collect(Collectors.joining(", ")))
                        .collect(Collectors.joining("; then ", " (", ")"))
                : "";
        return decision.path("site").asString() + ": "
                + decision.path("decision").asString() + move + ", "
                + decision.path("reason").asString() + ": "
                + decision.path("sentence").asString() + "; "
                + decision.path("detail").asString("");
    }

    private static Table moves(JsonNode status) {
        Table table = new Table("epoch", "node", "from", "to", "at", "reached", "seconds", "because");
        status.path("moves").forEach(move -> {
            Map.Entry<String, JsonNode> last = null;
            for (Map.Entry<String, JsonNode> phase : move.path("phases_seconds").properties()) {
                last = phase;
            }
            String detail = move.path("rolled_back_detail").asString("");
            String because = move.path("rolled_back_because").asString("");
            table.row(
                    move.path("epoch").asLong(0),
                    move.path("node").asString(),
                    move.path("from").asString(),
                    move.path("to").asString(),
                    move.path("at").asString(),
                    last == null ? "" : last.getKey(),
                    last == null ? 0.0 : last.getValue().asDouble(0),
                    detail.isEmpty() ? because : because + ": " + detail);
        });
        return table;
    }
}
