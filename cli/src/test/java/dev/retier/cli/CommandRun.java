package dev.retier.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * One command as a user gets it.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(int code, String out, String err) {
    /** Runs it in this process. */
    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(code, out.toString(), err.toString());
    }
}
