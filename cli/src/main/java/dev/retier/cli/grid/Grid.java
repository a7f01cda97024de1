package dev.retier.cli.grid;

import dev.retier.report.Text;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Cells of a terminal, each a character and a style; what does not fit is cut. Not thread-safe. */
public final class Grid {
    private final int rows;
    private final int columns;
    private final char[] characters;
    private final Style[] styles;

    /** All blank. */
    public Grid(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.characters = new char[rows * columns];
        this.styles = new Style[rows * columns];
        Arrays.fill(characters, ' ');
        Arrays.fill(styles, Style.PLAIN);
    }

    /** How many rows there are. */
    public int rows() {
        return rows;
    }

    /** How many cells a row has. */
    public int columns() {
        return columns;
    }

    /**
     * Writes {@code text} from there on; control characters, and what takes no cell or two of them, become question
     * marks.
     *
     * @param row from 0; below the grid nothing is written
     * @return the column behind the text, whether it fitted or not
     */
    public int put(int row, int column, Style style, String text) {
        String safe = Text.printable(text);
        for (int i = 0; i < safe.length(); i++) {
            int at = column + i;
            if (row >= 0 && row < rows && at >= 0 && at < columns) {
                characters[row * columns + at] = takesOneCell(safe.charAt(i)) ? safe.charAt(i) : '?';
                styles[row * columns + at] = style;
            }
        }
        return column + safe.length();
    }

    /** Latin, Greek, Cyrillic, and arrows, lines and blocks; others may be as wide as two. */
    private static boolean takesOneCell(char c) {
        return c < '\u0300' || (c >= '\u0370' && c < '\u0530') || (c >= '\u2010' && c < '\u2600');
    }

    char character(int row, int column) {
        return characters[row * columns + column];
    }

    Style style(int row, int column) {
        return styles[row * columns + column];
    }

    /** Without styles, without blanks at the ends of lines, and without the blank lines at the end. */
    public List<String> lines() {
        List<String> lines = IntStream.range(0, rows)
                .mapToObj(row -> new String(characters, row * columns, columns).stripTrailing())
                .toList();
        int end = lines.size();
        while (end > 0 && lines.get(end - 1).isEmpty()) {
            end--;
        }
        return lines.subList(0, end);
    }
}
