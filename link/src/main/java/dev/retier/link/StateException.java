package dev.retier.link;

/** The world failed, and a person must act: an address in use, a secret that cannot be read, a missing provider. */
public class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public StateException(String message) {
        super(message);
    }

    /** With its cause. */
    public StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
