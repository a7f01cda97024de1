package dev.retier.cli.operate;

import dev.retier.agent.command.CommandAsked;
import dev.retier.agent.journal.AuditJournal;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.IoReason;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands that agents of this machine were given, as their audit journals tell. Stateless. */
final class AuditHistory {
    private AuditHistory() {}

    /** One of a node's agent. */
    record Told(String node, CommandAsked asked) {}

    /**
     * The newest of all, the oldest first.
     *
     * @param folders of the nodes' journals, by name
     */
    static List<Told> newest(Map<String, Path> folders, int last) {
        List<Told> all = folders.entrySet().stream()
                .flatMap(node -> of(node.getKey(), node.getValue()))
                .sorted(Comparator.comparing(told -> told.asked.at()))
                .toList();
        return all.subList(Math.max(0, all.size() - Math.max(0, last)), all.size());
    }

    private static Stream<Told> of(String node, Path folder) {
        try {
            return AuditJournal.read(folder).stream().map(asked -> new Told(node, asked));
        } catch (IOException e) {
            throw refused(folder, e);
        }
    }

    /** Of each journal with lines that tell no command how many those are, in words. */
    static List<String> unreadable(Map<String, Path> folders) {
        List<String> told = new ArrayList<>();
        folders.values().forEach(folder -> {
            long lines = unreadable(folder);
            if (lines > 0) {
                told.add(AuditJournal.file(folder) + ": " + lines + " lines tell no command, and are left out: cut by"
                        + " a full disk or a crash, or not the agent's");
            }
        });
        return told;
    }

    private static long unreadable(Path folder) {
        try {
            return AuditJournal.unreadable(folder);
        } catch (IOException e) {
            throw refused(folder, e);
        }
    }

    private static CommandFailure refused(Path folder, IOException why) {
        return new CommandFailure(
                ExitCode.FAILED,
                AuditJournal.file(folder) + " cannot be read (" + IoReason.of(why)
                        + "); run it as a user who may read the journals, such as retier",
                why);
    }

    static Table table(List<Told> commands) {
        Table table = new Table("at", "node", "by", "from", "command", "outcome", "detail");
        commands.forEach(told -> {
            CommandAsked.End end = told.asked.end();
            table.row(
                    told.asked.at().toString(),
                    told.node,
                    told.asked.by(),
                    told.asked.from(),
                    words(told.asked.line()),
                    end == null ? "no end is known" : end.outcome(),
                    end == null ? "" : end.detail());
        });
        return table;
    }

    /** As it would be typed. */
    private static String words(String line) {
        return JsonMapper.shared().readTree(line).properties().stream()
                .map(part -> word(part.getKey(), part.getValue()))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String word(String key, JsonNode value) {
        if (value.isBoolean()) {
            return value.booleanValue() ? "--" + key.replace('_', '-') : "";
        }
        return key.equals("to") ? "--to " + value.asString("") : value.asString("");
    }

    static String json(List<Told> commands) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        commands.forEach(told -> {
            ObjectNode out = list.addObject().put("node", told.node);
            out.setAll((ObjectNode) JsonMapper.shared().readTree(told.asked.print()));
        });
        return list.toPrettyString();
    }
}
