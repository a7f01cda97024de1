package dev.retier.iwarp.net;

import java.io.IOException;

/** TLS ended a connection; the message says why, for people. To ask the same once more does not help. */
final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsException(String message, Throwable cause) {
        super(message, cause);
    }

    TlsException(String message) {
        super(message);
    }
}
