package dev.retier.load;

import java.util.List;

/**
 * The world or the caller's input failed: a file, a plan, a target list. The message is one line (one line per
 * problem for a plan), names the thing and says what to do about it, so it can be printed as it is.
 */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Category category;

    /** What the caller should do about it. */
    public enum Category {
        /** The run cannot go on or cannot start. */
        FATAL,
        /** This operation failed; another may succeed. */
        ERROR,
        /** Degraded; the run goes on. */
        WARN
    }

    /** A failure with nothing beneath it. */
    public LoadException(Category category, String message) {
        super(message);
        this.category = category;
    }

    /** A failure caused by {@code cause}, usually an I/O error wrapped once at the edge. */
    public LoadException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** All problems of one input at once, one line each. {@code problems} must not be empty. */
    public static LoadException ofProblems(List<String> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("an exception needs a problem");
        }
        return new LoadException(Category.FATAL, String.join("\n", problems));
    }

    /** The advised reaction. */
    public Category category() {
        return category;
    }
}
