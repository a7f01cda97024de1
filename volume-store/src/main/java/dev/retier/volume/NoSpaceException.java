package dev.retier.volume;

import java.io.IOException;

/** There is no room on the disk for what was to be written: it is not done, and nothing else is lost. */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1;

    /** With what is full, and what to do. */
    public NoSpaceException(String message) {
        super(message);
    }
}
