package dev.retier.link;

/**
 * The transport that was asked for cannot be had on this machine: a library, a device or a right is missing. The
 * message says which, and how to get it. To start again does not help, and no other transport is taken instead.
 */
public final class TransportException extends StateException {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public TransportException(String message) {
        super(message);
    }

    /** With its cause. */
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
