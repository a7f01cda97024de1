package dev.retier.cli;

/** What the process says to the shell. Scripts may rely on these numbers; docs/ARCHITECTURE.md lists them. */
public enum ExitCode {
    /** Done, or nothing to do. */
    OK(0),
    /** It was tried and failed. */
    FAILED(1),
    /** Asked what would be changed: something would. */
    CHANGES(2),
    /** A rail forbids what was asked for. */
    REFUSED(3),
    /** The move lock, or a volume that somebody else has attached, was not to be had now. */
    NO_LOCK(4),
    /** A move was begun and taken back. */
    ROLLED_BACK(5),
    /** No end was seen in time. */
    TIMED_OUT(6),
    /** A run ended, and its result met a condition of {@code --fail-if}. */
    THRESHOLD(7),
    /** The command line is wrong (sysexits.h EX_USAGE). */
    USAGE(64),
    /**
     * A configuration file is wrong, or asks for a transport that this machine does not have (sysexits.h EX_CONFIG);
     * starting again will not help.
     */
    CONFIG(78),
    /** Whoever read the output ended first, as {@code head} does (128 + SIGPIPE). */
    BROKEN_PIPE(141);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The number, 0 to 255. */
    public int code() {
        return code;
    }
}
