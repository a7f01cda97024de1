package dev.retier.cli.view;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A block of terminal lines that is drawn over the one before it (ECMA-48 control sequences). A line that is too long
 * for the terminal is cut and not wrapped (DECAWM), as the next block would else begin too low. Not thread-safe.
 */
public final class TerminalBlock {
    private static final String ERASE_LINE = "\u001b[2K";
    private static final String NO_WRAP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";
    private static final String ERASE_BELOW = "\u001b[J";

    private int drawnLines;

    /** What to send to the terminal so that it shows {@code lines} where the last block was. */
    public String draw(List<String> lines) {
        String text = up()
                + lines.stream()
                        .map(line -> ERASE_LINE + NO_WRAP + line + WRAP + "\n")
                        .collect(Collectors.joining());
        drawnLines = lines.size();
        return text;
    }

    /** What to send so that {@code message} stands above the block for good, and the block is drawn anew next time. */
    public String above(String message) {
        String text = up() + ERASE_BELOW + message + "\n";
        drawnLines = 0;
        return text;
    }

    private String up() {
        return drawnLines == 0 ? "" : "\u001b[" + drawnLines + "A\r";
    }
}
