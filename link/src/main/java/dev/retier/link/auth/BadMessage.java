package dev.retier.link.auth;

/** Why the other side is not believed, and the connection is to be closed: for the log, without any secret. */
public final class BadMessage extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why; without a stack trace, as strangers can have any number of them made. */
    public BadMessage(String reason) {
        super(reason, null, false, false);
    }

    /** Why. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
