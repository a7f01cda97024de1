package dev.retier.verbs;

import java.io.IOException;

/**
 * What was asked for is not on this machine: a library, a device, an address of one, or the right to use it. The
 * message says which, and how to get it; to try again does not help.
 */
public final class NoDeviceException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Without a cause. */
    public NoDeviceException(String message) {
        super(message);
    }

    /** With its cause. */
    public NoDeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
