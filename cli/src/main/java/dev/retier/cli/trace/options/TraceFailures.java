package dev.retier.cli.trace.options;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.traces.TraceException;
import java.io.IOException;

/** Turns the failures of trace commands into one line and an exit code. Stateless. */
public final class TraceFailures {
    private TraceFailures() {}

    /** What a trace command does. */
    @FunctionalInterface
    public interface Work {
        /** Does it; fails with what the library throws. */
        ExitCode run() throws IOException;
    }

    /** Runs {@code work}; wrong options are a wrong command line, what cannot be read is a failure. */
    public static int guard(Work work) throws IOException {
        try {
            return work.run().code();
        } catch (TraceException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
