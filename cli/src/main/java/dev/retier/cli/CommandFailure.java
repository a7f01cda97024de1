package dev.retier.cli;

/** Ends a command with one clear line for the user and an exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    /** Ends it with {@code exitCode}; each line of {@code message} is printed as one of the error output. */
    public CommandFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The same, for a failure that {@code --debug} shows as the cause. */
    public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** What the process ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
