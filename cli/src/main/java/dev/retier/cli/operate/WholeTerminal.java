package dev.retier.cli.operate;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.PlainOutput;
import dev.retier.cli.grid.Grid;
import dev.retier.cli.grid.Redraw;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process, all of it: keys come one by one and unseen, and what was on it comes back at the end.
 * By {@code stty}, which every system with terminals has. Thread-safe.
 */
final class WholeTerminal implements AutoCloseable {
    /** The one that a user looks at, whatever the standard streams are. */
    private static final File TERMINAL = new File("/dev/tty");

    private static final int LEAST = 1;
    private static final int USUAL_ROWS = 24;
    private static final int USUAL_COLUMNS = 80;

    private final PrintWriter out;
    private final boolean hasColours;
    private final String before;
    private @Nullable Grid shown;
    private boolean isClosed;

    private WholeTerminal(PrintWriter out, boolean hasColours, String before) {
        this.out = out;
        this.hasColours = hasColours;
        this.before = before;
    }

    /** Whether this process reads from a terminal that can be drawn on, and writes to it. */
    static boolean isThere() {
        String kind = System.getenv("TERM");
        boolean isTerminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return isTerminal && kind != null && !kind.equals("dumb");
    }

    /** See https://no-color.org. */
    static boolean isColourWanted() {
        String refused = System.getenv("NO_COLOR");
        return refused == null || refused.isEmpty();
    }

    /** Takes it; interrupts still come, stops do not. */
    static WholeTerminal take(PrintWriter out) throws InterruptedException {
        String before = stty("-g").strip();
        PrintWriter raw = PlainOutput.raw(out); // a grid holds no character that would control it
        WholeTerminal terminal = new WholeTerminal(raw, isColourWanted(), before);
        stty("-icanon", "-echo", "min", "1", "susp", "undef");
        raw.print(Redraw.BEGIN);
        raw.flush();
        return terminal;
    }

    /** A blank grid of its size. */
    static Grid blank() throws InterruptedException {
        String[] size = stty("size").strip().split(" ", -1);
        int rows = size.length == 2 ? Integer.parseInt(size[0]) : 0;
        int columns = size.length == 2 ? Integer.parseInt(size[1]) : 0;
        return new Grid(rows < LEAST ? USUAL_ROWS : rows, columns < LEAST ? USUAL_COLUMNS : columns);
    }

    /** Shows it, by what differs from what is shown; nothing once it was given back. */
    synchronized void show(Grid next) {
        if (!isClosed) {
            out.print(Redraw.of(shown, next, hasColours));
            out.flush();
            shown = next;
        }
    }

    /** Gives it back as it was. Idempotent. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        out.print(Redraw.END);
        out.flush();
        try {
            stty(before);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String stty(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(Arrays.asList(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TERMINAL)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() == 0) {
                return said;
            }
            throw new CommandFailure(ExitCode.FAILED, "stty " + arguments[0] + ": " + said.strip());
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "stty cannot be run (" + e.getMessage() + "); use --once, or install coreutils",
                    e);
        }
    }
}
