package dev.retier.cli.operate;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code retier status}. */
@Command(name = "status", description = "Show the cluster as one agent sees it.")
public final class StatusCommand implements Callable<Integer> {
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
        String json = client.text("/v1/status");
        PrintWriter out = spec.commandLine().getOut();
        if (output.format() == OutputFormat.JSON) {
            out.println(json);
            out.flush();
            return ExitCode.OK.code();
        }
        JsonNode status = client.json(json);
        output.print(spec, nodes(status));
        if (output.format() == OutputFormat.TABLE) {
            if (status.path("insecure").asBoolean(false)) {
                out.println("everybody in the network of this agent may read all that it knows (admin.insecure)");
            }
            if (status.path("paused_cluster").asBoolean(false)) {
                out.println("decisions of the cluster are paused");
            }
            if (status.path("paused_here").asBoolean(false)) {
                out.println("decisions of this agent are paused");
            }
            if (status.has("shadow")) {
                out.println("this agent is a shadow: it orders nothing by itself; see retier explain");
            }
            if (status.path("rdma_security").asString("").equals("trusted_network_only")) {
                out.println("RDMA without TLS: trusted network only");
            }
            status.path("edges").forEach(edge -> out.println(edge(edge)));
            status.path("volume_servers").forEach(server -> out.println(VolumeText.server(server)));
            VolumeText.volumes(status.path("volumes")).forEach(out::println);
            status.path("decisions")
                    .forEach(decision -> out.println(decision.path("site").asString() + ": "
                            + decision.path("decision").asString() + ", "
                            + decision.path("reason").asString() + ": "
                            + decision.path("sentence").asString()));
            out.flush();
        }
        return ExitCode.OK.code();
    }

    private static String edge(JsonNode edge) {
        String name = "edge " + edge.path("edge").asString() + " of "
                + edge.path("site").asString();
        if (!edge.has("stamp")) {
            return name + ": has told this agent nothing; a proxy leaves only when it has";
        }
        String runs = edge.path("stamp").asLong() == 0
                ? "does not know what it runs yet"
                : "runs stamp " + edge.path("stamp").asLong();
        return name + ": " + runs + ", told "
                + Math.round(edge.path("told_seconds_ago").asDouble()) + " s ago";
    }

    /** What is not known stays empty: unknown is not idle. */
    private static Table nodes(JsonNode status) {
        Table table = new Table(
                "node", "role", "phase", "epoch", "server", "utilisation_ratio", "requests_per_second", "config");
        status.path("nodes")
                .forEach(node -> table.row(
                        node.path("node").asString(),
                        node.path("role").asString("unknown"),
                        node.path("phase").asString(""),
                        known(node.path("epoch")),
                        node.path("server").asString(node.path("reading").asString("")),
                        known(node.path("utilisation_ratio")),
                        known(node.path("requests_per_second")),
                        node.path("config_differs").asBoolean(false) ? "differs" : ""));
        return table;
    }

    private static Object known(JsonNode figure) {
        return figure.isNumber() ? figure.numberValue() : "";
    }
}
