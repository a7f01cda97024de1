package dev.retier.fabric.calls;

/** How a call ended for its caller. Only {@link Unknown} leaves open whether the function ran. */
public sealed interface CallOutcome {
    /** The function ran; its answer. For a one-way call: the function has taken it, and the answer is empty. */
    @SuppressWarnings("ArrayRecordComponent") // nobody else has the array
    record Answered(byte[] answer) implements CallOutcome {}

    /** The function ran and failed. */
    record Failed(String reason) implements CallOutcome {}

    /** The function did not run, and will not. */
    record NotDone(Why why, String reason) implements CallOutcome {}

    /** The function may have run, may be running, or may still run once. */
    record Unknown(Why why, String reason) implements CallOutcome {}

    /** Why there is no answer. */
    enum Why {
        /** The node is not connected, or the connection broke. */
        LOST,
        /** The deadline passed. */
        TIMED_OUT,
        /** The caller cancelled. */
        CANCELLED,
        /** Too many calls to this node wait already. */
        BUSY,
        /** Nothing is registered at the node under this function number. */
        NO_FUNCTION
    }
}
