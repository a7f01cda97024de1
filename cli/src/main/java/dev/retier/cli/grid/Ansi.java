package dev.retier.cli.grid;

/** Colours and bars of a terminal (ECMA-48 control sequences). Stateless. */
public final class Ansi {
    /** Headings. */
    public static final String BOLD = "\u001b[1m";
    /** What matters less. */
    public static final String DIM = "\u001b[2m";
    /** A colour. */
    public static final String BLUE = "\u001b[34m";
    /** A colour. */
    public static final String RED = "\u001b[31m";
    /** A colour. */
    public static final String YELLOW = "\u001b[33m";
    /** A colour. */
    public static final String MAGENTA = "\u001b[35m";
    /** As the terminal shows text. */
    public static final String RESET = "\u001b[0m";

    private Ansi() {}

    /** A bar of {@code cells} characters of which {@code share}, 0..1, is full. */
    public static String bar(double share, int cells) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * cells);
        return "█".repeat(full) + DIM + "░".repeat(cells - full) + RESET;
    }

    /** {@code failed 0}, in red when it is more. */
    public static String count(String name, long count) {
        return count == 0 ? name + " 0" : RED + name + " " + count + RESET;
    }
}
