package dev.retier.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Several named tables and the words that belong to them, as one text for programs. Not thread-safe.
 *
 * <p>JSON: one object with {@code title}, {@code command}, {@code notes} (in their order) and {@code tables}, which has
 * for each name the rows as {@link Table} has them. CSV: one block per table, its header line and its rows, with the
 * table's name as a first column {@code table}; an empty line between two blocks; no notes.
 */
public final class TableDocument {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final String title;
    private final String command;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Table> tables = new LinkedHashMap<>();

    /**
     * A document without tables.
     *
     * @param title what the tables tell
     * @param command that makes them
     */
    public TableDocument(String title, String command) {
        this.title = title;
        this.command = command;
    }

    /** Adds a sentence. */
    public TableDocument note(String text) {
        notes.add(text);
        return this;
    }

    /**
     * Adds a table.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public TableDocument table(String name, Table table) {
        if (tables.putIfAbsent(name, table) != null) {
            throw new IllegalArgumentException("two tables are named " + name);
        }
        return this;
    }

    /**
     * All of it as JSON or CSV; ends with a line break.
     *
     * @throws IllegalArgumentException for {@link OutputFormat#TABLE}, which is for people
     */
    public String format(OutputFormat format) {
        return switch (format) {
            case TABLE -> throw new IllegalArgumentException("a document is for programs");
            case CSV ->
                tables.entrySet().stream()
                        .map(each -> block(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(System.lineSeparator()));
            case JSON -> JSON.writeValueAsString(object()) + System.lineSeparator();
        };
    }

    private static String block(String name, Table table) {
        List<String> lines = table.csvLines().toList();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "table" : Table.quoted(name))
                    .append(',')
                    .append(lines.get(i))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    private Map<String, Object> object() {
        Map<String, Object> rows = new LinkedHashMap<>();
        tables.forEach((name, table) -> rows.put(name, table.objects()));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("title", title);
        object.put("command", command);
        object.put("notes", notes);
        object.put("tables", rows);
        return object;
    }
}
