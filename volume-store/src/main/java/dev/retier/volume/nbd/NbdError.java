package dev.retier.volume.nbd;

/** Why something was not done, as clients are told: some of Linux's own numbers. */
public enum NbdError {
    /** EPERM. */
    NOT_PERMITTED(1),
    /** EIO. */
    IO(5),
    /** EINVAL. */
    INVALID(22),
    /** ENOSPC. */
    NO_SPACE(28);

    private final int number;

    NbdError(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
