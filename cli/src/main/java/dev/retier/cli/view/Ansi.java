package dev.retier.cli.view;

/** Colours and bars of a terminal (ECMA-48 control sequences). Stateless. */
final class Ansi {
    static final String BOLD = "\u001b[1m";
    static final String DIM = "\u001b[2m";
    static final String BLUE = "\u001b[34m";
    static final String RED = "\u001b[31m";
    static final String YELLOW = "\u001b[33m";
    static final String MAGENTA = "\u001b[35m";
    static final String RESET = "\u001b[0m";

    private Ansi() {}

    /** A bar of {@code cells} characters of which {@code share}, 0..1, is full. */
    static String bar(double share, int cells) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * cells);
        return "█".repeat(full) + DIM + "░".repeat(cells - full) + RESET;
    }

    /** {@code failed 0}, in red when it is more. */
    static String count(String name, long count) {
        return count == 0 ? name + " 0" : RED + name + " " + count + RESET;
    }
}
