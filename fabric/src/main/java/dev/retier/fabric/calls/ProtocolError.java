package dev.retier.fabric.calls;

/** The peer broke the rules of the ring; its connection is to be dropped. */
public final class ProtocolError extends Exception {
    private static final long serialVersionUID = 1L;

    ProtocolError(String message) {
        super(message, null, false, false);
    }
}
