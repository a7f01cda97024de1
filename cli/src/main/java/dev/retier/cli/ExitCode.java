package dev.retier.cli;

/** What the process says to the shell. Scripts may rely on these numbers; docs/ARCHITECTURE.md lists them. */
enum ExitCode {
    /** Done, or nothing to do. */
    OK(0),
    /** It was tried and failed. */
    FAILED(1),
    /** A run ended, and its result met a condition of {@code --fail-if}. */
    THRESHOLD(7),
    /** The command line is wrong (sysexits.h EX_USAGE). */
    USAGE(64),
    /** A configuration file is wrong (sysexits.h EX_CONFIG); starting again will not help. */
    CONFIG(78);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
