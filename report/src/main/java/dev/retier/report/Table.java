package dev.retier.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rows under named columns, printed in any {@link OutputFormat}. Not thread-safe.
 *
 * <p>A column's name is the JSON key; it carries the unit, as in {@code throughput_per_second}.
 */
public final class Table {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    /** A table without rows; names are JSON keys. */
    public Table(String... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row with one value per column: strings as they are, numbers as numbers. NaN is a figure that there is not:
     * a dash for people, null in JSON, an empty field in CSV.
     */
    public Table row(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        rows.add(List.of(values));
        return this;
    }

    /** The whole table as text that ends with a line break. */
    public String format(OutputFormat format) {
        return switch (format) {
            case TABLE -> aligned();
            case CSV -> csv();
            case JSON -> JSON.writeValueAsString(objects()) + System.lineSeparator();
        };
    }

    /** The names and then the rows, as the aligned form shows them. */
    public List<List<String>> cells() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns.stream().map(name -> name.replace('_', ' ')).toList());
        rows.forEach(row -> cells.add(row.stream().map(Table::shown).toList()));
        return cells;
    }

    private String aligned() {
        int[] widths = IntStream.range(0, columns.size())
                .map(column -> Math.max(
                        columns.get(column).length(),
                        rows.stream()
                                .mapToInt(row -> shown(row.get(column)).length())
                                .max()
                                .orElse(0)))
                .toArray();
        StringBuilder text = new StringBuilder();
        cells().forEach(cells -> appendAligned(text, cells, widths));
        return text.toString();
    }

    private void appendAligned(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            line.append(pad(cells.get(column), widths[column], isNumeric(column)))
                    .append("  ");
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty() && rows.getFirst().get(column) instanceof Number;
    }

    private static String pad(String cell, int width, boolean right) {
        String blanks = " ".repeat(width - cell.length());
        return right ? blanks + cell : cell + blanks;
    }

    private String csv() {
        return csvLines().map(line -> line + System.lineSeparator()).collect(Collectors.joining());
    }

    /** The header and then the rows, as CSV has them, without line breaks at their ends. */
    Stream<String> csvLines() {
        return Stream.concat(
                Stream.of(String.join(",", columns)),
                rows.stream().map(row -> row.stream().map(Table::quoted).collect(Collectors.joining(","))));
    }

    /** The rows by column, as JSON has them. */
    List<Map<String, @Nullable Object>> objects() {
        return rows.stream()
                .map(row -> {
                    Map<String, @Nullable Object> object = new LinkedHashMap<>();
                    IntStream.range(0, columns.size()).forEach(column -> {
                        Object value = row.get(column);
                        object.put(columns.get(column), isMissing(value) ? null : value);
                    });
                    return object;
                })
                .toList();
    }

    private static String shown(Object value) {
        return switch (value) {
            case Double number when isMissing(number) -> "-";
            case Double number -> String.format(Locale.ROOT, Math.abs(number) < 10 ? "%.2f" : "%.0f", number);
            default -> value.toString();
        };
    }

    private static boolean isMissing(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    /** RFC 4180 section 2: fields with commas, quotes or line breaks are quoted. */
    static String quoted(Object value) {
        String text = isMissing(value) ? "" : value.toString();
        return text.matches("(?s).*[,\"\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
