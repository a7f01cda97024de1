package dev.retier.cli.grid;

import org.jspecify.annotations.Nullable;

/** What to send to a terminal of a whole screen (ECMA-48) so that it shows the next grid: what changed. Stateless. */
public final class Redraw {
    /** The other screen of the terminal, empty, without its cursor: what was on the first one stays there. */
    public static final String BEGIN = "\u001b[?1049h\u001b[?25l\u001b[2J";

    /** Back to the first screen, as it was. */
    public static final String END = Ansi.RESET + "\u001b[?25h\u001b[?1049l";

    /** So many cells that stay are sent again rather than jumped over, as the jump takes as many bytes. */
    private static final int JUMP = 6;

    private Redraw() {}

    /**
     * From {@code shown} to {@code next}.
     *
     * @param shown what the terminal shows; null when nobody knows, as after it got another size
     * @param hasColours whether styles are sent, too
     */
    public static String of(@Nullable Grid shown, Grid next, boolean hasColours) {
        boolean isKnown = shown != null && shown.rows() == next.rows() && shown.columns() == next.columns();
        Grid before = shown != null && isKnown ? shown : new Grid(next.rows(), next.columns());
        StringBuilder out = new StringBuilder(isKnown ? "" : "\u001b[2J");
        for (int row = 0; row < next.rows(); row++) {
            row(out, before, next, row, hasColours);
        }
        return out.toString();
    }

    private static void row(StringBuilder out, Grid before, Grid next, int row, boolean hasColours) {
        int column = nextChange(before, next, row, 0, hasColours);
        while (column < next.columns()) {
            int end = column + 1;
            int change = nextChange(before, next, row, end, hasColours);
            while (change < next.columns() && change - end <= JUMP) {
                end = change + 1;
                change = nextChange(before, next, row, end, hasColours);
            }
            out.append("\u001b[").append(row + 1).append(';').append(column + 1).append('H');
            out.append(run(next, row, column, end, hasColours));
            column = change;
        }
    }

    private static int nextChange(Grid before, Grid next, int row, int from, boolean hasColours) {
        int column = from;
        while (column < next.columns()
                && before.character(row, column) == next.character(row, column)
                && (!hasColours || before.style(row, column) == next.style(row, column))) {
            column++;
        }
        return column;
    }

    private static String run(Grid next, int row, int from, int end, boolean hasColours) {
        StringBuilder out = new StringBuilder();
        Style style = Style.PLAIN;
        for (int column = from; column < end; column++) {
            Style wanted = hasColours ? next.style(row, column) : Style.PLAIN;
            if (wanted != style) {
                out.append(style == Style.PLAIN ? "" : Ansi.RESET).append(wanted.code());
                style = wanted;
            }
            out.append(next.character(row, column));
        }
        return out.append(style == Style.PLAIN ? "" : Ansi.RESET).toString();
    }
}
