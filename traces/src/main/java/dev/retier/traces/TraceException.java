package dev.retier.traces;

/**
 * A trace cannot be read, made or written. The message is one line that names the file and place and says what to do
 * about it, so it can be printed as it is.
 */
public final class TraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with nothing beneath it. */
    public TraceException(String message) {
        super(message);
    }

    /** A failure caused by {@code cause}, usually an I/O error wrapped once at the edge. */
    public TraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
