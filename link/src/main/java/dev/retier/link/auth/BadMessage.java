package dev.retier.link.auth;

/** A handshake message that is refused; carried to the edge of this package and there turned into a value. */
final class BadMessage extends Exception {
    private static final long serialVersionUID = 1L;

    BadMessage(String message) {
        super(message, null, false, false);
    }
}
