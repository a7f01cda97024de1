package dev.retier.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The board of {@code conf/grafana} as JSON.
 *
 * @param json its top
 */
record GrafanaBoard(JsonNode json) {
    /** What Grafana puts for the variables: its own ones, and "All" of those of the board. */
    private static final Map<String, String> VARIABLES =
            Map.of("$__rate_interval", "1m", "$__range", "5m", "$job", "retier", "$site", ".*", "$instance", ".*");

    /**
     * What the board asks Prometheus.
     *
     * @param where the title of the panel
     * @param expression with all variables put in
     */
    record Question(String where, String expression) {}

    static GrafanaBoard read() throws IOException {
        Path file = Path.of("..").toAbsolutePath().normalize().resolve("conf/grafana/retier.json");
        return new GrafanaBoard(JsonMapper.shared().readTree(Files.readString(file)));
    }

    /** Rows and panels. */
    List<JsonNode> panels() {
        return List.copyOf(json.path("panels").values());
    }

    /** Those that ask something. */
    List<JsonNode> askingPanels() {
        return panels().stream().filter(panel -> !isRow(panel)).toList();
    }

    static boolean isRow(JsonNode panel) {
        return panel.path("type").asString().equals("row");
    }

    /** What a person may choose. */
    List<JsonNode> variables() {
        return List.copyOf(json.path("templating").path("list").values());
    }

    /** All that it asks: for panels, for marks and for what there is to choose. */
    List<Question> questions() {
        List<Question> questions = new ArrayList<>();
        for (JsonNode panel : askingPanels()) {
            for (JsonNode target : panel.path("targets").values()) {
                questions.add(question(panel.path("title"), target.path("expr").asString()));
            }
        }
        for (JsonNode marks : json.path("annotations").path("list").values()) {
            if (marks.has("expr")) {
                questions.add(question(marks.path("name"), marks.path("expr").asString()));
            }
        }
        for (JsonNode variable : variables()) {
            if (variable.path("type").asString().equals("query")) {
                String values = variable.path("query").path("query").asString();
                questions.add(question(
                        variable.path("name"),
                        values.replaceFirst("label_values\\((.*), (\\w+)\\)", "group by ($2) ($1)")));
            }
        }
        return questions;
    }

    private static Question question(JsonNode where, String expression) {
        String filled = expression;
        for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
            filled = filled.replace(variable.getKey(), variable.getValue());
        }
        return new Question(where.asString(), filled);
    }

    /** Every object below {@code node}, itself included. */
    static Stream<JsonNode> all(JsonNode node) {
        return Stream.concat(Stream.of(node), node.values().stream().flatMap(GrafanaBoard::all));
    }
}
