package dev.retier.cli.grid;

/** How a cell is shown; a terminal without colours shows all of them alike. */
public enum Style {
    /** As the terminal shows text. */
    PLAIN(""),
    /** Headings. */
    BOLD(Ansi.BOLD),
    /** What matters less. */
    DIM(Ansi.DIM),
    /** Nodes of the tier in front. */
    BLUE(Ansi.BLUE),
    /** What somebody should look at. */
    RED(Ansi.RED),
    /** What is under pressure. */
    YELLOW(Ansi.YELLOW),
    /** What is on its way. */
    MAGENTA(Ansi.MAGENTA);

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }
}
