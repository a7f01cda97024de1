package dev.retier.config.tls;

/**
 * A file of keys, certificates or tokens cannot be used. The message names it and the remedy, and has no byte of a key.
 */
public final class PemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public PemException(String message) {
        super(message);
    }

    /** With its cause. */
    public PemException(String message, Throwable cause) {
        super(message, cause);
    }
}
