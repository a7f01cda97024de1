package dev.retier.agent;

/** The world failed the agent: a file, a folder, a port. The message says what to do. */
public final class ReconfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Category category;

    /** What the receiver should do. */
    public enum Category {
        /** The agent cannot go on. */
        FATAL,
        /** The operation failed; a person must act. */
        ERROR,
        /** The operation failed; the agent goes on and tries again. */
        WARN
    }

    /** Names the thing and the remedy in the message. */
    public ReconfigException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** The same without a cause. */
    public ReconfigException(Category category, String message) {
        super(message);
        this.category = category;
    }

    /** What the receiver should do. */
    public Category category() {
        return category;
    }
}
