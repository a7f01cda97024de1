package dev.retier.cli.demo;

import dev.retier.cli.view.AnsiScreen;
import dev.retier.cli.view.Frame;
import dev.retier.cli.view.PlainLines;
import java.io.PrintWriter;

/** Shows frames and messages: drawn in place on a terminal, as plain lines elsewhere. Thread-safe. */
final class Screen {
    /** A terminal is drawn with each frame; a log gets a line every so many. */
    private static final int FRAMES_PER_LINE = 8;

    private final PrintWriter out;
    private final boolean terminal;
    private final AnsiScreen ansi = new AnsiScreen();
    private int frames;

    Screen(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    synchronized void show(Frame frame) {
        if (terminal) {
            out.print(ansi.draw(frame));
        } else if (frames++ % FRAMES_PER_LINE == 0) {
            out.println(PlainLines.line(frame));
        }
        out.flush();
    }

    synchronized void say(String message) {
        if (terminal) {
            out.print(ansi.above(message));
        } else {
            out.println(message);
        }
        out.flush();
    }
}
