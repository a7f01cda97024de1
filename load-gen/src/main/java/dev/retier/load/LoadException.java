package dev.retier.load;

import java.util.List;

/**
 * The world or the caller's input failed: a file, a plan, a target list. The message is one line (one line per
 * problem for a plan), names the thing and says what to do about it, so it can be printed as it is.
 */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with nothing beneath it. */
    public LoadException(String message) {
        super(message);
    }

    /** A failure caused by {@code cause}, usually an I/O error wrapped once at the edge. */
    public LoadException(String message, Throwable cause) {
        super(message, cause);
    }

    /** All problems of one input at once, one line each. {@code problems} must not be empty. */
    public static LoadException ofProblems(List<String> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("an exception needs a problem");
        }
        return new LoadException(String.join("\n", problems));
    }
}
