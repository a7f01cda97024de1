package dev.retier.fabric.calls;

/** How a call ended at the node that was called. */
public enum Status {
    /** The function ended; the bytes are its answer. */
    DONE,
    /** The function failed; the bytes are a sentence about it. */
    FAILED,
    /** Nothing is registered under this number; nothing was done. */
    NO_FUNCTION,
    /** The deadline passed before the function's turn came; nothing was done. */
    EXPIRED,
    /** The caller cancelled before the function's turn came; nothing was done. */
    CANCELLED,
    /** The function ended, but its answer is longer than an answer may be. */
    ANSWER_TOO_LONG
}
