package dev.retier.cli.grid;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a terminal shows that is sent such text: as much of ECMA-48 as {@link Redraw} uses. Not thread-safe. */
public final class DrawnTerminal {
    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[([?0-9;]*)([A-Za-z])");

    private final int rows;
    private final int columns;
    private final String[][] cells;
    private String style = "";
    private int row;
    private int column;
    private boolean isWhole;

    /** An empty one, on its first screen. */
    public DrawnTerminal(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.cells = new String[rows][columns];
        clear();
    }

    private void clear() {
        Arrays.stream(cells).forEach(line -> Arrays.fill(line, " "));
    }

    /** Takes what is sent. */
    public void send(String text) {
        Matcher sequence = SEQUENCE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (sequence.region(at, text.length()).lookingAt()) {
                obey(sequence.group(2), sequence.group(1));
                at = sequence.end();
            } else {
                write(text.charAt(at++));
            }
        }
    }

    private void obey(String what, String parameters) {
        switch (what + parameters) {
            case "J2" -> clear();
            case "m0" -> style = "";
            case "h?1049" -> isWhole = true;
            case "l?1049" -> isWhole = false;
            default -> {
                if (what.equals("H")) {
                    row = Integer.parseInt(parameters.substring(0, parameters.indexOf(';'))) - 1;
                    column = Integer.parseInt(parameters.substring(parameters.indexOf(';') + 1)) - 1;
                } else if (what.equals("m")) {
                    style = parameters + "|";
                }
            }
        }
    }

    private void write(char c) {
        if (isWhole && row < rows && column < columns) {
            cells[row][column++] = style + c;
        }
    }

    /** Whether it is on its second screen. */
    public boolean isWhole() {
        return isWhole;
    }

    /** The characters, a line for each row. */
    public String text() {
        return Arrays.stream(cells)
                .map(line -> Arrays.stream(line)
                        .map(cell -> cell.substring(cell.length() - 1))
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    /** Characters with their styles, for comparing. */
    String styled() {
        return Arrays.deepToString(cells);
    }

    static String styled(Grid grid) {
        String[][] cells = new String[grid.rows()][grid.columns()];
        IntStream.range(0, grid.rows())
                .forEach(row -> IntStream.range(0, grid.columns()).forEach(column -> {
                    String code = grid.style(row, column).code();
                    String style = code.isEmpty() ? "" : code.substring(2, code.length() - 1) + "|";
                    cells[row][column] = style + grid.character(row, column);
                }));
        return Arrays.deepToString(cells);
    }
}
