package dev.retier.link;

/** The world failed: an address in use, a secret that cannot be read, a provider that is missing. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Category category;

    /** What the caller is advised to do. */
    public enum Category {
        /** Stop: nothing will work until a person has acted. */
        FATAL,
        /** This operation failed; others may work. */
        ERROR
    }

    /** Without a cause. */
    public StateException(Category category, String message) {
        super(message);
        this.category = category;
    }

    /** With its cause. */
    public StateException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** What the caller is advised to do. */
    public Category category() {
        return category;
    }
}
