package dev.retier.cli.operate;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.view.RoleText;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.ClusterFile;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code retier history}. */
@Command(
        name = "history",
        description = "Show the moves that the journals on this machine tell of, with the time of each phase, or who"
                + " commanded what.",
        footer = "It reads files alone, so it works with no agent running.")
public final class HistoryCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--node", paramLabel = "NAME", description = "Of this node alone.")
    private @Nullable String name;

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "50",
            description = "The newest N moves or commands (default: ${DEFAULT-VALUE}).")
    private int last = 50;

    @Option(
            names = "--audit",
            description = "In place of moves the commands that the agents were given: who gave them, from where, and"
                    + " what became of each.")
    private boolean isAudit;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private record Told(String node, PastMove move) {}

    @Override
    public Integer call() {
        ClusterConfig cluster = ClusterFile.read(file);
        List<NodeConfig> asked =
                name == null ? cluster.nodes() : List.of(ClusterFile.node(cluster, "--node", name, file));
        List<Path> folders =
                asked.stream().map(node -> folder(cluster, node)).distinct().toList();
        if (folders.stream().noneMatch(Files::isDirectory)) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "no journal on this machine: there is no " + folders.getFirst()
                            + (folders.size() == 1 ? "" : ", nor those of the other nodes")
                            + "; run it on a machine whose agent has run with " + file);
        }
        if (isAudit) {
            audit(cluster, asked);
            return ExitCode.OK.code();
        }
        List<Told> moves = asked.stream()
                .flatMap(node -> moves(cluster, node))
                .sorted(Comparator.comparing(told -> told.move.at()))
                .toList();
        List<Told> newest = moves.subList(Math.max(0, moves.size() - Math.max(0, last)), moves.size());
        if (output.format() == OutputFormat.JSON) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(json(cluster, newest));
            out.flush();
        } else {
            output.print(spec, table(cluster, newest));
        }
        return ExitCode.OK.code();
    }

    private void audit(ClusterConfig cluster, List<NodeConfig> asked) {
        Map<String, Path> folders = asked.stream()
                .collect(Collectors.toMap(
                        NodeConfig::name, node -> folder(cluster, node), (one, _) -> one, TreeMap::new));
        List<AuditHistory.Told> newest = AuditHistory.newest(folders, last);
        AuditHistory.unreadable(folders).forEach(spec.commandLine().getErr()::println);
        spec.commandLine().getErr().flush();
        if (output.format() == OutputFormat.JSON) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(AuditHistory.json(newest));
            out.flush();
        } else {
            output.print(spec, AuditHistory.table(newest));
        }
    }

    private static Stream<Told> moves(ClusterConfig cluster, NodeConfig node) {
        try {
            return PastMove.of(Journal.entries(folder(cluster, node))).stream()
                    .map(move -> new Told(node.name(), move));
        } catch (ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private static Path folder(ClusterConfig cluster, NodeConfig node) {
        return new AgentConfig(cluster, node.id()).journalDirectory();
    }

    private static Table table(ClusterConfig cluster, List<Told> moves) {
        Table table = new Table("at", "node", "epoch", "from", "to", "end", "because", "seconds", "phases_seconds");
        moves.forEach(told -> table.row(
                told.move.at().toString(),
                told.node,
                told.move.order().epoch(),
                RoleText.of(told.move.order().from(), cluster),
                RoleText.of(told.move.order().to(), cluster),
                word(told.move.end()),
                told.move.reason() == null ? "" : String.valueOf(told.move.reason()),
                seconds(told.move, told.move.end()),
                phases(told.move)));
        return table;
    }

    private static String phases(PastMove move) {
        return move.phases().keySet().stream()
                .sorted()
                .map(phase -> word(phase) + " " + String.format(Locale.ROOT, "%.3f", seconds(move, phase)))
                .collect(Collectors.joining(", "));
    }

    private static String json(ClusterConfig cluster, List<Told> moves) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        for (Told told : moves) {
            ObjectNode out = list.addObject()
                    .put("node", told.node)
                    .put("epoch", told.move.order().epoch())
                    .put("from", RoleText.of(told.move.order().from(), cluster))
                    .put("to", RoleText.of(told.move.order().to(), cluster))
                    .put("at", told.move.at().toString())
                    .put("end", word(told.move.end()))
                    .put("seconds", seconds(told.move, told.move.end()));
            if (told.move.reason() != null) {
                out.put("rolled_back_because", told.move.reason().name());
            }
            ObjectNode phases = out.putObject("phases_seconds");
            told.move.phases().keySet().stream()
                    .sorted()
                    .forEach(phase -> phases.put(word(phase), seconds(told.move, phase)));
        }
        return list.toPrettyString();
    }

    private static double seconds(PastMove move, MovePhase phase) {
        return move.phases().getOrDefault(phase, java.time.Duration.ZERO).toNanos() / NANOS_PER_SECOND;
    }

    private static String word(MovePhase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }
}
