package dev.retier.webnode;

/**
 * A web-node could not start for a reason outside its files, such as a port in use. The message is one line that names
 * the thing and the remedy. A command line ends with exit code 1.
 */
public final class WebNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WebNodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
