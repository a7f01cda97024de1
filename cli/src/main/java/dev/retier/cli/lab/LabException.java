package dev.retier.cli.lab;

/** Says in one line what keeps a lab from being made, and the remedy. */
public final class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what is wrong and the remedy. */
    public LabException(String message) {
        super(message);
    }

    LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
