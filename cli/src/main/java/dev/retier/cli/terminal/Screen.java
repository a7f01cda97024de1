package dev.retier.cli.terminal;

import dev.retier.cli.PlainOutput;
import dev.retier.cli.view.TerminalBlock;
import dev.retier.report.Text;
import java.io.PrintWriter;
import java.util.List;

/** Shows what goes on, and messages: drawn in place on a terminal, as plain lines elsewhere. Thread-safe. */
public final class Screen {
    private final PrintWriter out;
    private final boolean terminal;
    private final int framesPerLine;
    private final TerminalBlock block = new TerminalBlock();
    private int frames;

    /**
     * A view on {@code out}.
     *
     * @param terminal whether it is a terminal that can be drawn on
     * @param framesPerLine a terminal is drawn with each frame; a log gets the lines of every so many
     */
    public Screen(PrintWriter out, boolean terminal, int framesPerLine) {
        this.out = out;
        this.terminal = terminal;
        this.framesPerLine = framesPerLine;
    }

    /** The launcher looks whether standard error is a terminal; Java cannot. */
    public static boolean isTerminal() {
        return Boolean.getBoolean("retier.terminal");
    }

    /** Shows a frame: as {@code drawn} lines on a terminal, as {@code plain} ones elsewhere. */
    public synchronized void show(List<String> drawn, List<String> plain) {
        if (terminal) {
            PlainOutput.raw(out).print(block.draw(drawn));
        } else if (frames++ % framesPerLine == 0) {
            plain.forEach(out::println);
        }
        out.flush();
    }

    /** Shows a message that stays; nothing in it can move the cursor. */
    public synchronized void say(String message) {
        String harmless = Text.printable(message);
        if (terminal) {
            PlainOutput.raw(out).print(block.above(harmless));
        } else {
            out.println(harmless);
        }
        out.flush();
    }
}
