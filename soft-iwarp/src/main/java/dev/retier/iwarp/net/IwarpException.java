package dev.retier.iwarp.net;

import java.io.IOException;

/** A verb or a connection that failed because of the world or its caller. Says what, where, and what to do about it. */
public final class IwarpException extends IOException {
    private static final long serialVersionUID = 1L;

    /** A failure without a cause of its own. */
    public IwarpException(String message) {
        super(message);
    }

    /** A failure that another one caused. */
    public IwarpException(String message, Throwable cause) {
        super(message, cause);
    }
}
