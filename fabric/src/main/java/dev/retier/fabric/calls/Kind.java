package dev.retier.fabric.calls;

/** What a message is for. */
public enum Kind {
    /** Asks a function for an answer. */
    CALL,
    /** Brings something to a function; answered when the function takes it, not when it has ended. */
    ONE_WAY,
    /** Ends a call or one-way call: the function's answer, or why there is none. */
    ANSWER,
    /** The caller does not want the answer any more; it gets one all the same. */
    CANCEL,
    /** The first message of a connection: where the answers go. */
    OPEN
}
