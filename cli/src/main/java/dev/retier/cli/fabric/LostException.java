package dev.retier.cli.fabric;

/** The home is gone, and with it what it held: nothing can be said any more about what was shared. */
public final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says what is known. */
    public LostException(String detail) {
        super(detail);
    }
}
